"""What people write about their games and their account as a whole; see `words`."""

GAMES = (
    "games", "my games", "my boards", "my matches", "list my games", "show my games",
    "show me my games", "show all my games", "where are my games", "what are my games",
    "which games do i have", "what games do i have", "what games am i playing",
    "which games am i playing", "meine spiele", "meine partien", "mes parties", "mis partidas",
    "le mie partite", "meus jogos", "mijn spellen", "mina partier", "moje gry", "moje hry",
    "мои игры", "oyunlarım",
)  # fmt: skip
"""Asks for the list of one's boards."""

AWAY = (
    "vacation", "holiday", "holidays", "i am on vacation", "i'm on vacation", "i am on holiday",
    "i'm on holiday", "i am away", "i'm away", "i will be away", "i'll be away",
    "i will be on vacation", "i'll be on vacation", "i will be on holiday", "i'll be on holiday",
    "i am going on vacation", "i'm going on vacation", "i am going on holiday",
    "i'm going on holiday", "i am going away", "i'm going away", "pause", "pause the game",
    "pause my game", "pause my games", "pause all games", "pause all my games", "i need more time",
    "i need a break", "can i have more time", "more time", "more time please", "mehr zeit",
    "mehr zeit bitte", "ich brauche mehr zeit", "plus de temps", "más tiempo", "stop the clock",
    "stop my clock", "urlaub",
    "ich bin im urlaub", "ich fahre in urlaub", "ich bin verreist", "vacances",
    "je suis en vacances", "vacaciones", "estoy de vacaciones", "sono in vacanza",
    "estou de férias", "ik ben op vakantie", "ik ga op vakantie", "ik ben weg", "ich bin weg",
    "ich bin nicht da", "ich bin abwesend", "ich mache urlaub", "je pars en vacances",
    "je serai en vacances", "je suis absent", "je suis absente", "je serai absent",
    "je serai absente", "me voy de vacaciones", "estaré de vacaciones", "estoy fuera",
    "jag är på semester", "jestem na urlopie",
    "jsem na dovolené", "я в отпуске",
)  # fmt: skip
"""Says that they are away, or that they need more time."""

AWAY_UNTIL = (
    "next week", "this week", "tomorrow", "today", "next month", "this month", "until", "till",
    "from", "for a", "for the", "for two", "for three", "for some", "over the", "over christmas",
    "nächste woche", "bis", "ab", "la semaine prochaine", "jusqu'à", "jusqu'au", "à partir",
    "la próxima semana", "hasta", "desde", "volgende week", "tot", "vanaf",
)  # fmt: skip
"""What may stand behind a phrase of AWAY, with up to five more words: when, and for how long."""

LOOK = (
    "plain text", "plain text only", "text only", "only text", "no html", "no html mails",
    "send plain text", "send me plain text", "no pictures", "no images", "html", "send html",
    "send me html", "i can't see the picture", "i can't see the board", "i cannot see the board",
    "i can't see the pictures", "i see no picture", "i see no board", "there is no picture",
    "the picture is too small", "the picture is too big", "the board is too small",
    "bigger picture", "bigger board", "bigger pictures", "nur text", "kein html", "keine bilder",
    "ich sehe kein bild", "ich sehe kein brett", "das bild ist zu klein", "bild zu klein",
    "größeres bild", "texte seul", "pas d'images", "je ne vois pas le plateau",
    "je ne vois pas l'image", "l'image est trop petite", "solo texto", "sin imágenes",
    "no veo el tablero", "no veo la imagen", "alleen tekst", "geen plaatjes", "ik zie geen bord",
    "ik zie het bord niet", "my settings", "settings", "einstellungen", "réglages", "ajustes",
    "instellingen",
)  # fmt: skip
"""Wants mails that look otherwise."""

ADDRESS = (
    "new address", "new email", "new email address", "new mail address", "i have a new address",
    "i have a new email", "i have a new email address", "i have a new mail address",
    "my address has changed", "my email has changed", "my email address has changed",
    "i want to change my address", "i want to change my email",
    "i want to change my email address", "how do i change my address", "how do i change my email",
    "how do i change my email address", "neue adresse", "neue mailadresse", "neue e-mail-adresse",
    "adresse ändern", "mailadresse ändern", "meine adresse ändern",
    "ich habe eine neue adresse", "ich habe eine neue mailadresse", "nouvelle adresse",
    "j'ai une nouvelle adresse", "changer d'adresse", "nueva dirección", "cambiar mi dirección",
    "tengo una nueva dirección", "nuevo correo", "nieuw adres", "nieuw mailadres",
    "nieuw e-mailadres", "ik heb een nieuw adres", "ik heb een nieuw e-mailadres",
    "adres wijzigen", "neue email", "neue e-mail", "neue email-adresse", "nouvelle adresse mail",
    "nouvelle adresse e-mail", "my new address", "my new email", "my new email address",
    "email has changed", "address has changed", "address changed",
    "my address changed", "my email changed", "please use my new address",
)  # fmt: skip
"""Needs to tell of another mail address."""

ABOUT_ADDRESS = frozenset(
    {"", "is", "to", "now", "please", "ist", "jetzt", "lautet", "bitte", "est", "maintenant", "es",
     "ahora", "is:", "nu", "meine", "ma", "mon", "mi", "mijn", "the", "at", "hi", "hello", "hallo"}
)  # fmt: skip
"""What may stand around a phrase of ADDRESS in a line that holds the address itself."""

_SEARCHES = (
    "i want", "i'd like", "i would like", "how can i", "how do i", "can i", "i am looking for",
    "i'm looking for", "looking for", "find", "find me", "i need",
)  # fmt: skip
_PLAYMATES = (
    "to play", "to play someone", "to play somebody", "to play with someone", "someone to play",
    "someone to play with", "somebody to play with", "an opponent", "opponents", "a partner",
    "a game", "another game", "a new game", "other players", "people to play with",
    "find someone to play", "find someone to play with", "find somebody to play with",
    "find an opponent", "find a game", "find opponents", "to find an opponent", "play someone",
    "to find someone to play with", "start a game", "start a new game", "to start a game",
    "to start a new game", "begin a game", "play another game", "to play another game",
    "invite a friend", "invite someone", "to invite a friend", "challenge someone",
)  # fmt: skip
OPPONENT = (
    *(f"{search} {playmate}" for search in _SEARCHES for playmate in _PLAYMATES),
    "play", "new game", "start game", "who wants to play", "who can i play", "anyone",
    "spielen", "ich möchte spielen", "ich will spielen",
    "ich würde gern spielen", "ich würde gerne spielen", "ich suche einen gegner",
    "ich suche gegner", "suche gegner", "gegner gesucht", "wer will spielen", "neues spiel",
    "wie finde ich einen gegner", "wie finde ich gegner", "wer spielt mit", "wer spielt mit mir",
    "jouer", "je veux jouer", "je voudrais jouer", "j'aimerais jouer", "nouvelle partie",
    "je cherche un adversaire", "comment trouver un adversaire", "qui veut jouer", "jugar",
    "quiero jugar", "quisiera jugar", "me gustaría jugar", "busco un rival",
    "busco un oponente", "busco un contrincante", "nueva partida", "quién quiere jugar",
    "cómo encuentro un rival", "spelen", "ik wil spelen", "ik wil graag spelen",
    "ik zoek een tegenstander", "nieuw spel", "wie wil er spelen", "vorrei giocare",
    "voglio giocare", "cerco un avversario", "quero jogar", "procuro um adversário",
)  # fmt: skip
"""Wants somebody to play with."""

FORGOT = (
    "forgot", "i forgot", "i forgot my password", "i've forgotten my password",
    "i have forgotten my password", "i lost my password", "i have lost my password",
    "lost my password", "forgot my password", "forgot password", "forgotten password",
    "what is my password", "what's my password", "reset my password", "reset password",
    "password forgotten", "i don't know my password", "i don't remember my password",
    "i can't remember my password", "change my password", "i want to change my password",
    "new password", "i need a new password", "ich habe mein passwort vergessen",
    "passwort vergessen", "mot de passe oublié", "j'ai oublié mon mot de passe",
    "olvidé mi contraseña", "ho dimenticato la password", "esqueci a minha senha",
    "wachtwoord vergeten", "ik ben mijn wachtwoord vergeten", "glömt lösenord", "zapomniałem hasła",
    "zapomněl jsem heslo", "забыл пароль", "şifremi unuttum",
)  # fmt: skip
"""Needs a new password."""
