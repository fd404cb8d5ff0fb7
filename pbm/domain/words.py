"""The phrases that are understood without a command, in English, German, French, Spanish and Dutch.

Each is a regular expression of a whole line, or of a part of one between two signs, as `fold`
leaves it. Words that could take back part of a phrase are in no table.
"""

import re
from collections.abc import Mapping
from enum import Enum, auto


class Meaning(Enum):
    """The meaning of a line of plain words."""

    YES = auto()
    NO = auto()
    POLITE = auto()
    """A courtesy, which neither asks nor answers anything: thanks, a greeting, a wish."""
    RESIGN = auto()
    SWAP = auto()
    DRAW = auto()
    UNDO = auto()
    AGAIN = auto()
    STOP = auto()
    HELP = auto()
    RULES = auto()
    SHOW = auto()
    ROBOT = auto()
    HINT = auto()
    ANALYSE = auto()
    GAMES = auto()
    AWAY = auto()
    FORGOT = auto()
    ADDRESS = auto()
    OPPONENT = auto()
    LIST = auto()
    LOOK = auto()


PHRASES: Mapping[Meaning, tuple[str, ...]] = {
    Meaning.YES: (
        r"yes|yep|yeah|ok|okay|sure|fine|agreed|agree|gladly|of course|why not\?|go ahead|deal",
        r"accept(ed)?|with pleasure|let's play|i'(ll|d like to) play|i'm in|sounds good",
        r"ja|jawohl|gerne?|klar|einverstanden",
        r"oui|d'accord|j'accepte|avec plaisir",
        r"sí|si|claro|vale|acepto|de acuerdo",
        r"graag|akkoord",
    ),
    Meaning.NO: (
        r"no|nope|not now|(i have )?no time|decline|reject(ed)?|refuse|i'd rather not",
        r"(let's )?play on",
        r"nein|leider nicht|jetzt nicht",
        r"non|pas maintenant|je refuse",
        r"ahora no|no acepto",
        r"nee",
    ),
    Meaning.POLITE: (
        r"please|sorry|many thanks|thanks a lot|thank you very much|(best |kind )?regards",
        r"(good|nice|great|well|fun) (game|one|move|match|played|done|luck|day)|gg|gl|hf|have fun",
        r"nice|great|wow|oops|(you are )?welcome|that was fun|no problem|see you( soon)?|congrats",
        r"good (morning|afternoon|evening|night)",
        # What programs write of a reaction: a tap on a picture below a mail.
        r"[^\s\d]+( [^\s\d]+){0,2} (reacted to|liked|loved) (your|this) (message|e?mail)",
        r"(liked|loved|emphasi[sz]ed|laughed at|disliked|questioned) ['\"].*",
        r"[^\s\d]+( [^\s\d]+){0,2} hat auf (ihre|deine) (nachricht|e-?mail) reagiert",
        r"[^\s\d]+( [^\s\d]+){0,2} a réagi à (votre|ton) (message|e-?mail|courriel)",
        r"vielen dank|bitte|moin|guten (tag|morgen|abend)|viele grüße|viel (glück|spaß)",
        r"gut gespielt|tschüss",
        r"merci beaucoup|bonsoir|bien joué|bonne (chance|partie)|au revoir",
        r"buena suerte|bien jugado|buen(os|as) (días|tardes)|adiós|saludos",
        r"dank (je|u)|dag|goed gespeeld|veel succes|groeten",
    ),
    Meaning.RESIGN: (
        r"(resign|quit|give up|concede)( (the|this) (game|match))?|you win",
        r"(stop|end) (the|this) (game|match)",
        r"(ich )?gebe auf",
        r"j'abandonne",
        r"me rindo|abandono",
        r"(ik )?geef (het )?op",
    ),
    Meaning.SWAP: (
        r"(swap|switch)( sides)?",
        r"(seiten )?tauschen|ich tausche",
        r"j'échange|échanger",
        r"cambi[ao]r? de lado",
        r"ruilen|ik ruil",
    ),
    Meaning.DRAW: (
        r"((how about|offer|propose) )?(a )?draw",
        r"remis|unentschieden",
        r"match nul|(partie )?nulle",
        r"tablas",
        r"remise|gelijkspel",
    ),
    Meaning.UNDO: (
        r"undo|take ?back|take (that|it|my move) back|take back my move",
        r"(zug )?zurücknehmen",
        r"annuler|reprendre mon coup",
        r"deshacer",
        r"(zet )?terugnemen",
    ),
    Meaning.AGAIN: (
        r"(play )?again|rematch|(another|one more|next) (game|one|match)|(once|one) more",
        r"noch einmal|nochmal|noch (ein spiel|eine partie)",
        r"revanche|on rejoue|encore une( partie)?",
        r"revancha|otra( vez| partida)?",
        r"nog (een keer|een spel|eens)",
    ),
    Meaning.STOP: (
        r"stop( it| this)?|unsubscribe( me)?|(remove|stop writing to) me|leave me alone",
        r"no more e?mails?|(how do i )?stop (this|these mails)|(delete|close|cancel) (my )?account",
        r"abmelden|wie melde ich mich ab|(mein )?konto löschen|keine mails mehr",
        r"me désabonner|supprimer mon compte",
        r"darme de baja|(borrar|eliminar) mi cuenta",
        r"afmelden|uitschrijven|(mijn )?account verwijderen",
    ),
    Meaning.HELP: (
        r"help( me)?|what (do|can|should) i do( now)?|how does (this|it) work",
        r"i (don't|do not) understand( this| what to do)?",
        r"hilfe|wie (geht|funktioniert) das|ich verstehe (das )?nicht",
        r"aide|comment ça marche|je ne comprends pas",
        r"ayuda|cómo funciona|no entiendo",
        r"hulp|hoe werkt dit|ik (snap|begrijp) het niet",
    ),
    Meaning.RULES: (
        r"(what are the )?rules|how do i (play|win|move)( this( game)?)?|how to play",
        r"i don't know (this game|the rules)",
        r"(was sind die |wie sind die )?(spiel)?regeln|wie spielt man( das)?",
        r"(quelles sont les )?règles|comment (on joue|jouer)",
        r"(cuáles son las )?reglas|cómo se juega",
        r"(wat zijn de )?regels|hoe speel ik dit",
    ),
    Meaning.SHOW: (
        r"show|((show|send) (me )?)?(the )?board( again)?|is it my turn|whose turn is it",
        r"who (is winning|won|am i playing|is my opponent)|what colou?r am i|how long do i have",
        r"(zeig mir )?das brett|wer ist dran|bin ich dran|welche farbe habe ich",
        r"à qui (le tour|de jouer)|c'est à (qui|moi)( de jouer)?|montre(z-moi)? le plateau",
        r"(de quién es el|es mi) turno|a quién le toca|el tablero",
        r"wie is (er )?aan zet|ben ik aan zet|het bord",
    ),
    Meaning.ROBOT: (
        r"((play )?(with |against )?(a |the ))?(robot|computer|bot)|play (robot|computer)",
        r"gegen (den computer|einen roboter)",
        r"contre (un robot|l'ordinateur)",
        r"contra (un robot|el ordenador)",
        r"tegen (de computer|een robot)",
    ),
    Meaning.HINT: (
        r"(give me )?(hint|tip|advice)|i'?( a)?m stuck|what (would you|should i) (play|do)",
        r"tipp|was soll ich spielen",
        r"indice|que jouer",
        r"pista",
        r"wat moet ik spelen",
    ),
    Meaning.ANALYSE: (
        r"analy[sz]e( (it|this|the|my)( game| match)?)?|analysis|how did i (play|lose|win)",
        r"where did i go wrong|what did i do wrong|why did i lose",
    ),
    Meaning.GAMES: (
        r"((show me )?my )?(games|boards)",
        r"meine spiele|mes parties|mis partidas|mijn spellen",
    ),
    Meaning.AWAY: (
        r"(i('m| am|'ll be| will be) )?(on (vacation|holiday)|away)|vacation|holidays?|more time",
        r"(pause|stop) (my games?|all games|the clock)",
        r"(ich bin )?(im urlaub|nicht da|verreist)|urlaub|mehr zeit",
        r"je (pars|suis) en vacances|vacances|plus de temps",
        r"estoy de vacaciones|vacaciones|más tiempo",
        r"ik (ben|ga) op vakantie|vakantie|meer tijd",
    ),
    Meaning.FORGOT: (
        r"(forgot|lost|have forgotten|reset)( my)?( password)?|new password|what is my password",
        r"passwort vergessen",
        r"mot de passe oublié",
        r"olvidé mi contraseña",
        r"wachtwoord vergeten",
    ),
    Meaning.ADDRESS: (
        r"((have )?a )?new (e-?mail )?address|new e-?mail|change (my )?(e-?mail|address)",
        r"(e-?mail|address) has changed",
        r"neue (mail|e-mail-)?adresse",
        r"nouvelle adresse|changer d'adresse",
        r"nueva dirección|nuevo correo",
        r"nieuw (mail|e-mail)?adres",
    ),
    Meaning.OPPONENT: (
        r"play|((how can i )?find )?(an opponent|(someone|somebody) to play( with)?)",
        r"(start a )?new game",
        r"spielen|(ich )?suche (einen )?gegner|neues spiel",
        r"jouer|je cherche un adversaire|nouvelle partie",
        r"jugar|busco un rival|nueva partida",
        r"spelen|(ik )?zoek een tegenstander|nieuw spel",
    ),
    Meaning.LIST: (
        r"(what|which) games (are there|can i play|do you have)|who (else )?plays here",
        r"welche spiele gibt es|wer spielt hier",
        r"quels jeux y a-t-il|qui joue ici",
        r"qué juegos hay|quién juega aquí",
        r"welke spellen zijn er|wie speelt hier",
    ),
    Meaning.LOOK: (
        r"(send )?(me )?plain text|text only|no (html|pictures)|settings",
        r"(picture|board) is too (small|big)|i can't see the (board|picture)",
        r"nur text|kein html|keine bilder|(das )?bild (ist )?zu klein",
        r"texte seul|pas d'images",
        r"solo texto|sin imágenes",
        r"alleen tekst|geen plaatjes",
    ),
}

WEAK = ("ok|okay|fine|vale",)
"""Agrees, unless more follows: "OK. Let me think." does not."""

AWAY_UNTIL = (
    r"next|this|tomorrow|today|until|till|from|for|over",
    r"nächste woche|bis|ab|jusqu'(à|au)|hasta|tot",
)
"""Words that may follow a phrase of AWAY, with up to five more."""

ABOUT_ADDRESS = (
    r"i|have|my|is|to|now|please|ist|jetzt|bitte|meine|est|ma|es|mi|nu|mijn|hi|hello|hallo",
)
"""Words that may be around a phrase of ADDRESS in a line with the address itself."""

LEADS = (
    r"oh|oops|sorry|hey|hmm|well|so|then|and|please|bitte|por favor|my|the|a|can i|may i|let's",
    r"i|i'll|i will|i'd like to|i would like to|i want( to)?|i need|kann ich|ich (will|möchte)",
    r"puis-je|je (veux|voudrais)|puedo|quiero|mag ik|ik wil",
)
"""Words that may come before a phrase."""

COURTESIES = (
    r"please|pls|thanks|thank you|thx|bitte|danke|s'il (te|vous) plaît|svp|stp|merci|por favor",
    r"gracias|alsjeblieft|graag|bedankt|dank (je|u)",
)
"""Words that may follow a phrase or a move."""

AFTER_MOVES = (r"(it('s| is) )?your (turn|move)( now)?|over to you|it is|for me|cheers",)
"""Words that may follow a move and need not be passed on."""

GREETINGS = (
    r"hi|hello|hey|dear|thanks|thank you|thx|cheers|bye|hallo|liebe|lieber|danke|bonjour|salut",
    r"merci|hola|gracias|hoi|beste|bedankt",
)
"""Words that up to two names may follow."""

HELLO = (r"hi|hello|hey|good|dear|hallo|guten|moin|bonjour|bonsoir|salut|hola|buen[oa]s|hoi|dag",)
"""The first word of a greeting."""

NO_NAMES = (r"but|no|not|nicht|yes|ok|if|and|or|i|you|move",)
"""Words that are no names after a greeting."""

POLITE_BEGINNINGS = (
    r"(thanks|thank you|thx) for|good luck (with|in)|have (a (nice|good)|fun with)|sorry for the",
    r"nice to|(vielen )?dank(e)? für|viel (glück|spaß) bei|schönen|merci pour|gracias por",
    r"(bedankt|dank je) voor",
)
"""Words that up to four more may follow."""

BEFORE_MOVES = (
    r"(i('ll| will|'d like to| would like to| want to| choose to)? )?(play|move)( at| on| to)?",
    r"(i('ll| will)? )?(take|choose|go|place|put|drop|answer|reply)( at| on| it on)?|i|ok|okay",
    r"stone (at|on)|point|square|here (goes|you go)|let me (play|move|take|go)",
    r"(my )?(next )?(move|answer|reply)( is)?|let's play|here('s| is) my move",
    r"ich (spiele|ziehe|setze|nehme)|(mein )?zug( ist)?",
    r"je joue|mon coup|juego|mi jugada( es)?|ik speel|(mijn )?zet( is)?",
)
"""Words that may come before a move, with or without a colon."""

CORRECTIONS = (
    r"actually|oops|wait|make (it|that)|i mean(t)?|correction|edit|instead|rather|better|typo",
    r"(scratch|strike|forget|ignore) that|never ?mind|on second thoughts?|chang(ed?|ing) my mind",
    r"my (mistake|bad)|should (be|have been|read)|wrong",
    r"eigentlich|ich mein(t)?e|korrektur|doch|lieber|besser|halt|moment|stattdessen|tippfehler",
    r"en fait|je voulais dire|plutôt|attends|je me suis trompée?|faute de frappe",
    r"en realidad|quise decir|quería decir|corrección|mejor|espera|me equivoqué",
    r"eigenlijk|ik bedoel(de)?|correctie|wacht|toch|liever|beter|tikfout",
)
"""Words in a line whose move is meant in place of the one above it."""

OTHERWISE = (r"no|nope|nein|non|nee|or|oder|ou|sorry|pardon|perdón",)
"""Words that do the same right before the move."""

PASSWORD = (
    r"password|passphrase|passwort|kennwort|mot de passe|contraseña|clave|wachtwoord",
    r"passcode|passwd|pwd|pw|pass(?=\s*[:=])|senha|palavra-passe|пароль|hasło|lösenord",
)
"""Words before a password."""

CONFIRMATIONS = (
    r"yes|yep|yeah|ok|okay|(i )?(confirm|accept)|confirmed|ja|jawohl|jep|(ich )?bestätige?t?|oui",
    r"je confirme|si|sí|confirm[oa]do|confirmo|ik bevestig",
    r"y|yup|correct|right|exactly|(it|that)('s| is| was) (it|right|correct|mine)",
    r"it (is|was)(?! \w)|\U0001f44d",
    # As people say yes in the other languages in which moves are read.
    r"sì|sim|jo|japp|joo|kyllä|tak|ano|áno|igen|da|evet|да|так|ναι|はい|是的?|好的?|对|네|예|כן|نعم|हाँ",
)
"""Words that confirm something; "Yes, who is this?" does not."""

AFTER_CONFIRMATION = (
    r"please|thanks|thank you|(it|that) was me|(it|that|this)('s| is) me|i did|go ahead|of course",
    r"(please )?open (it|(the|my) account)",
    r"grazie|obrigad[oa]|tack|takk|kiitos|спасибо",
    r"bitte|gerne|danke|(das war|das bin) ich|ich (war|bin)('s| es| das)",
    r"svp|s'il (te|vous) plaît|merci|c'(est|était)( bien)? moi",
    r"por favor|gracias|(fui|soy|he sido) yo|claro",
    r"graag|alstublieft|alsjeblieft|bedankt|dank je|da[tn] (was|ben) ik|ik was het",
)
"""Words that may follow these without taking anything back."""

ORDINALS = (
    r"first|1st|erste[nrs]?|premi(er|ère)|primer[oa]?|eerste",
    r"second|2nd|zweite[nrs]?|deuxième|segund[oa]|tweede",
    r"third|3rd|dritte[nrs]?|troisième|tercer[oa]?|derde",
)
"""Words that choose one of the lines that a question names, by its place."""

DENIALS = (r"no|nope|nein|non|nee|não|nej|nei|nie|nem|hayır|нет|ні|όχι|いいえ|아니요",)
"""Words that say no, alone or before a sign or AFTER_DENIAL: "No idea" may be a question."""

AFTER_DENIAL = (
    r"no|not|thanks?|danke|tak|tack|takk|merci|gracias|please|bitte|it|that|this|i|never",
)

REFUSALS = (
    r"stop|unsubscribe|remove|cancel|opt out|leave me alone|not (me|interested)|was(n't| not) me",
    r"i did(n't| not) sign up",
)
"""Words that say no at the beginning of a line, whatever follows."""


def any_of(patterns: tuple[str, ...]) -> str:
    """Return one pattern for any of these, without groups that capture."""
    return "(?:" + re.sub(r"(?<!\\)\((?!\?)", "(?:", "|".join(patterns)) + ")"
