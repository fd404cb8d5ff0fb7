"""A hundred things that people write who have read no help, and what each does.

A row names the mail that bob answers, what he writes, what becomes of it, and words that must be in
the mail that he gets and in the one that alice gets; "" stands for no mail. A text that begins with
"subject: " is the subject of a reply without a text.
"""

from dataclasses import dataclass
from enum import Enum


class Did(Enum):
    """What became of a sentence."""

    DONE = "a command was carried out"
    SAID = "it was passed on"
    ASKED_BACK = "bob was told what would work, and nothing was done"
    TOLD = "bob got what he asked for, and nothing was done"
    NOTHING = "it was taken as a courtesy to the server"


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence."""

    answered: str
    text: str
    did: Did
    bob: str = ""
    alice: str = ""


BEGUN = "The match has begun"
DECLINED = "declined the match"
BY_ACCEPT = "Reply accept or decline."
CHATTED = "You wrote to the board."
FEWER = "Do you want fewer mails, or none? Nothing has been changed yet."
TAKEN = "Your message for alice is taken."
MEANT = "Is B4 your move? Nothing was done"
UNREAD = "To say something to the other player"
SURE = "Do you want to give this match up?"

DONE, SAID, ASKED_BACK, TOLD, NOTHING = Did


def _accepted(*texts: str) -> tuple[Row, ...]:
    return tuple(Row("invitation", text, DONE, BEGUN, BEGUN) for text in texts)


def _declined(*texts: str) -> tuple[Row, ...]:
    return tuple(Row("invitation", text, DONE, DECLINED, DECLINED) for text in texts)


def _played(*texts: str) -> tuple[Row, ...]:
    return tuple(Row("board", text, DONE, "You played B4.", "bob played B4.") for text in texts)


def _chatted(answered: str, *texts: str) -> tuple[Row, ...]:
    return tuple(
        Row(answered, text, SAID, CHATTED, f"bob writes: {' '.join(text.split())}")
        for text in texts
    )


def _written(answered: str, *texts: str) -> tuple[Row, ...]:
    return tuple(Row(answered, text, SAID, TAKEN, f"bob writes to you: {text}") for text in texts)


def _unread(answered: str, words: str, *texts: str) -> tuple[Row, ...]:
    return tuple(Row(answered, text, ASKED_BACK, words) for text in texts)


ROWS: tuple[Row, ...] = (
    *_accepted(
        "yes", "Yes please!", "ok", "Sure, why not?", "Accepted!", "I accept.", "Ja, gerne!",
        "Oui, avec plaisir !", "s\u00ed",
        "*yes*", '"accept"', "Accept, thanks!", "subject: yes",
        "Yes, thanks for inviting me!", "Hi Alice,\n\nyes, gladly!\n\nBob",
        "I accept. May the better one win!", "let's play",
    ),
    *_declined(
        "no", "No thanks", "Nein, danke!", "decline please", "Sorry, no time",
    ),
    *_unread("invitation", BY_ACCEPT, "thanks!", "OK. I'll think about it."),
    *_unread("invitation", "A line that works: accept or decline", "maybe", "who are you?", "C3"),
    Row("invitation", "what are the rules?", TOLD, "Gonnect is a race"),
    Row("invitation", "stop", TOLD, FEWER),
    *_played(
        "B4", "b4.", "I play B4", "B4 please", "*B4*", '"B4"', "B4,", "1. B4", "2... B4",
        "move: B4", "My move: B4", "Ich spiele B4", "je joue B4 s'il te pla\u00eet", "subject: B4",
        "Hi Alice,\nhere is my move: B4\nBob",
    ),
    Row("board", "B4, good luck!", DONE, "You played B4.", "bob writes: good luck!"),
    Row("board", "swap please", DONE, "You used the pie rule", "bob used the pie rule"),
    Row("board", "I want to swap sides", DONE, "You used the pie rule", "bob used the pie rule"),
    Row("board", "I'll swap", DONE, "You used the pie rule", "bob used the pie rule"),
    Row("board", "draw?", DONE, "You offered a draw.", "bob offered a draw."),
    *_unread("board", SURE, "I resign", "resign please", "you win", "ich gebe auf"),
    Row("board", "B4 \U0001f44d", DONE, "You played B4.", "bob writes: \U0001f44d"),
    *_unread(
        "board", MEANT,
        "B4?", "not B4", "B4, but I am not sure", "I would play B4 but I wait",
        "B4 (sorry for the delay, we were on holiday)", "I think I will go B4",
        "Hi Alice, B4. How are you?", "Dear Alice,\n\nmy choice would be B4 today.",
    ),
    *_unread("board", "Which is your move, B4 or C4? Nothing was done", "B4 or C4"),
    *_unread("board", SURE, "quit"),
    *_unread("board", "change address bob your-password your-new-address", "neue Adresse"),
    *_unread("board", "on vacation", "more time please"),
    Row("board", "Who am I playing?", TOLD, "As asked"),
    Row("board", "à qui le tour ?", TOLD, "As asked"),
    Row("board", "how do I win?", TOLD, "Gonnect is a race"),
    Row("board", "Konto löschen", TOLD, FEWER),
    Row("board", "change my email", ASKED_BACK, "change address bob your-password"),
    *_unread("old board", UNREAD, "nice weather, is it not?"),
    *_unread("board", SURE, "I want to quit", "stop the game"),
    *_unread("board", "A line that works: gonnect challenge alice", "play again?"),
    *_unread(
        "board", UNREAD,
        "Sorry for the delay, I will move tomorrow.",
    ),
    *_unread("board", "is not the name of a point", "zzz"),
    Row("board", "I play G7", ASKED_BACK, 'There is no point G7 on this board'),
    Row("board", "oops can I take that back?", ASKED_BACK, "You have no move on board 101"),
    *_chatted("board", "thanks, good game", "gg", "hi!", "Thanks Alice!\nBob", "\U0001f44d", "yes"),
    Row("board", "What would you play?", ASKED_BACK, "in matches against robots only."),
    Row("board", "Where did I go wrong?", ASKED_BACK, "Board 101 is not over."),
    Row("board", "whose turn is it?", TOLD, "Board 101 after 1 move."),
    Row("board", "how do I play?", TOLD, "Gonnect is a race"),
    Row("board", "who is winning?", TOLD, "Board 101 after 1 move."),
    Row("board", "show me my games", TOLD, "Your boards, the most urgent first"),
    Row("board", "I am on vacation next week", TOLD, "vacation until"),
    Row("board", "I forgot my password", DONE, "To choose a new one, reply to this mail"),
    Row("board", "unsubscribe", TOLD, FEWER),
    Row("board", "Please remove me", TOLD, FEWER),
    Row("draw", "yes", DONE, "You accepted the offer of a draw.", "bob accepted the offer"),
    Row("draw", "Agreed!", DONE, "You accepted the offer of a draw.", "bob accepted the offer"),
    Row("draw", "no thanks", DONE, "You said no to the draw.", "bob said no to the draw."),
    Row("draw", "No, let's play on", DONE, "You said no to the draw.", "bob said no to the draw."),
    Row("draw", "ok\nB4", DONE, "You played B4.", "bob played B4."),
    *_unread(
        "draw", "it is not sure that you agree",
        "yes\nbut only if you promise", "OK. Let me think.",
    ),
    *_chatted("draw", "thanks"),
    Row("undo", "Go ahead", DONE, "You agreed to take back C3.", "bob agreed to take back C3."),
    Row("undo", "No, sorry", DONE, "You said no to the undo.", "bob said no to the undo."),
    Row("end", "rematch?", DONE, "Gonnect 102", "bob invites you, alice, to a match of Gonnect."),
    Row("end", "another game?", DONE, "Gonnect 102", "bob invites you, alice"),
    Row("end", "gg, that was close!", SAID, CHATTED, "bob wrote - Gonnect 101"),
    *_chatted("end", "gg", "That was fun! See you next time."),
    *_unread("end", "Board 101 is over.", "B4", "I resign"),
    *_written("message", "I do!", "yes", "B4", "Shall we play tonight?"),
    Row("message", "stop", TOLD, FEWER),
    Row("message", "", ASKED_BACK, "nothing went to alice"),
    *_written("broadcast", "Count me in"),
    Row("broadcast", "unsubscribe", TOLD, FEWER),
    *_chatted("chat", "Raining, as ever.", "yes"),
    Row("chat", "B4", DONE, "You played B4.", "bob played B4."),
    *_unread("chat", "Which is your move, D4 or C4?", "if D4 then C4"),
    Row("reminder", "101: B4 please", DONE, "You played B4.", "bob played B4."),
    Row("reminder", "Board 101: B4", DONE, "You played B4.", "bob played B4."),
    *_unread("reminder", "A line that works: 101 B4 or 102 B4", "B4"),
    *_unread("reminder", "Which match do you want to give up?", "I resign"),
    Row("reminder", "thanks", NOTHING),
    Row("own invitation", "thanks", NOTHING),
    *_unread("own invitation", "What you reply here reaches nobody.", "please hurry up"),
    *_unread("own invitation", "of yours, reply withdraw.", "never mind"),
    Row("own invitation", "take it back", DONE, "You have taken back", "bob has taken back"),
    Row("confirmation", "yes please", DONE, "Welcome, bob2."),
    Row("confirmation", "thanks", ASKED_BACK, "could not be read as a yes or a no"),
    Row("confirmation", "no thanks", DONE),
    *_unread("old board", "That was meant as move 2 of board 101", "D4", "E5"),
    Row("old board", "yes", ASKED_BACK, "Nothing is offered to you on board 101."),
    Row("old invitation", "yes", ASKED_BACK, "You have accepted this invitation already"),
    *_unread("old invitation", "has begun, and here is its board", "how long does it take?", "C4"),
    *_unread("welcome", "You have no open board", "I would like to play with my friend Tom"),
    *_unread("welcome", "A line that works: morris challenge alice", "morris against alice?"),
    *_unread(
        "welcome", "change address bob2 your-password bob@new.example",
        "My new address is bob@new.example", "Hi, my email has changed to bob@new.example.",
        "Meine neue Adresse ist bob@new.example", "I have a new email address: bob@new.example",
        "Ma nouvelle adresse est bob@new.example", "Mijn nieuw adres is bob@new.example",
        "change my address to bob@new.example",
    ),
    *_unread(
        "board", "change address bob your-password bob@new.example",
        "My new address is bob@new.example",
    ),
    *(
        Row("board", text, TOLD, "Your move, bob: you are Ohs (o), move 2.")
        for text in (
            "C'est à qui de jouer ?", "¿De quién es el turno?", "Wie is er aan zet?",
            "Zeig mir das Brett", "What color am I?", "Welche Farbe habe ich?",
        )
    ),
    *(
        Row("board", text, TOLD, "the first player to build a chain")
        for text in (
            "Was sind die Regeln?", "Quelles sont les règles ?", "¿Cuáles son las reglas?",
            "Wat zijn de regels?", "How do I move?",
        )
    ),
    *(
        Row("board", text, DONE, "You offered a draw.", "bob offered a draw.")
        for text in ("Unentschieden?", "Match nul ?", "Gelijkspel?")
    ),
    *(
        Row("board", text, TOLD, "finds somebody, if you know nobody here yet")
        for text in (
            "I don't understand what to do", "Ich verstehe das nicht", "Je ne comprends pas.",
            "No entiendo", "Ik snap het niet!",
        )
    ),
    *(
        Row("board", text, TOLD, "bob, you are not on vacation")
        for text in (
            "Je pars en vacances jusqu'au lundi", "Ik ben op vakantie tot maandag",
            "Ich bin nicht da bis Montag",
        )
    ),
    *(
        Row("board", text, TOLD, FEWER)
        for text in (
            "How do I stop this?", "Je veux supprimer mon compte", "Wie melde ich mich ab?",
            "Account verwijderen",
        )
    ),
    *(
        Row("board", text, TOLD, "Your settings, bob")
        for text in ("Plain text please", "nur Text bitte", "The picture is too small!")
    ),
    *(
        Row("welcome", text, TOLD, "The games of pbm@games.example.org")
        for text in ("What games are there?", "Welche Spiele gibt es?", "¿Quién juega aquí?")
    ),
    *_unread("welcome", "If you want to leave this server, reply stop.", "Quit"),
    *_unread(
        "invitation", "To write to alice first, reply message alice, with your words below it.",
        "Who is alice?", "Can we play unrated?", "what's this",
    ),
    Row("invitation", "I don't know this game", TOLD, "the first player to build a chain"),
    Row("end", "On rejoue ?", DONE, "Waiting for an answer", "An invitation from bob"),
    Row("end", "Who won?", TOLD, "bob won: resigned."),
    *(
        Row("welcome", text, TOLD, "finds somebody, if you know nobody here yet")
        for text in (
            "How can I find someone to play with?", "I want to play!", "Ich suche einen Gegner.",
            "Je voudrais jouer", "Quiero jugar.", "Ik zoek een tegenstander",
        )
    ),
    *_unread("welcome", "That mail asks for no yes or no", "OK, let's play!", "ja gerne"),
    *_unread(
        "welcome", "No command could be read", "not sure yet", "Gonnect?", "play with alice",
    ),
    Row("old invitation", "no thanks", ASKED_BACK, "reply decline before your first move"),
)  # fmt: skip
