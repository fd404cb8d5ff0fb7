"""Messages as mails: their headers, their thread, their text and HTML."""

from collections.abc import Iterable, Sequence
from dataclasses import field
from datetime import datetime
from urllib.parse import quote

from pbm.core.letters import Message
from pbm.core.tokens import Token, TokenMint, leave_token, leave_veil
from pbm.domain.mail import LOOP_HEADER, OutgoingMail, bounce_address, with_word
from pbm.domain.pages import NO_PAGES, Pages
from pbm.domain.settings import FORMAT, PICTURE, chosen
from pbm.engine import AnyGame, Viewer, any_of, begin, deal, frozen
from pbm.mail.writing.assemble import MailHtml, assemble, display, in_ascii
from pbm.mail.writing.letters import LetterWriter
from pbm.mail.writing.pictures import HtmlPicture, PictureCache
from pbm.mail.writing.wording import Wording, header_date
from pbm.render import marks
from pbm.render.boards.css import STYLE, rules
from pbm.render.html import page
from pbm.render.templates import Templates

_SUBJECT = "Re:"
"""The subject of a mail that a link makes. Its text is the command; its address has the token."""

_CLIPPED = 102_000
"""Octets of HTML beyond which Gmail shows the beginning only."""


@frozen
class MailComposer:
    """Composes the mails of one server, whose address players write to; see `bounce_address`."""

    templates: Templates
    mint: TokenMint
    address: str
    pictures: PictureCache = field(default_factory=PictureCache)
    pages: Pages = NO_PAGES
    at_provider: bool = False
    writer: LetterWriter = field(init=False, repr=False, compare=False)
    _domain: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_domain", self.address.rpartition("@")[2])
        writer = LetterWriter(self.templates, self.address, self.pages)
        object.__setattr__(self, "writer", writer)

    def prepare(self, games: Iterable[AnyGame]) -> None:
        """Prepare what takes the first board mails a tenth of a second.

        That is their templates, and the pictures of these games with the font and the stones.
        """
        self.templates.prepare()
        for game in games:
            start = begin(game, deal(game, game.info.setup(), any_of))
            self.pictures.prepare(game.diagram(start.state, Viewer()))

    def compose(
        self, message: Message, uid: str, returns: str, now: datetime, answers: str | None = None
    ) -> OutgoingMail:
        """Return the mail for `message`, always named `uid`: a retry is the same mail.

        `returns` is the word of the address to which reports on it come back; it is not in the
        mail. `answers` is the Message-ID, strictly checked, of the mail that it replies to.
        Its tokens are veiled until the relay gets it (pbm.core.token_masking). Raises ValueError
        if the message has no address to go to.
        """
        to = message.recipient
        if to is None:
            raise ValueError("a message without an address cannot be composed")
        wording = self.writer.written(message)
        message_id = f"<{uid}@{self._domain}>"
        reply_to = self._tagged(message.reply, message_id, now) if message.reply else self.address
        headers = [
            ("From", display(wording.display, self.address)),
            ("To", f"<{to}>"),
            *([("Reply-To", f"<{reply_to}>")] if message.reply else []),
            ("Subject", in_ascii(wording.subject)),
            ("Date", header_date(now)),
            ("Message-ID", message_id),
            *self._thread(message, answers),
            ("Auto-Submitted", "auto-replied" if wording.answer else "auto-generated"),
            ("X-Auto-Response-Suppress", "All"),
            (LOOP_HEADER, self.address),
            *self._list_headers(wording, message, message_id, now),
        ]
        page = self._page(message, wording, uid, reply_to)
        content = assemble(headers, marks.flowed(wording.text), wording.files, uid, page)
        sender = bounce_address(returns, self.address, at_provider=self.at_provider)
        return OutgoingMail(sender, to, message_id, content)

    def _page(self, message: Message, wording: Wording, uid: str, reply_to: str) -> MailHtml | None:
        """Return the HTML form of the mail, or None for a reader who wants only text."""
        reader = message.reader
        settings = reader.settings if reader else {}
        if chosen(FORMAT, settings) == "text":
            return None

        sender = f"mailto:{reply_to}?subject={_SUBJECT}&body="
        pictures, wanted = wording.pictures, chosen(PICTURE, settings)
        cids = [f"{n}.{uid}@{self._domain}" for n, _ in enumerate(pictures) if wanted != "no"]

        def html(boards: Sequence[HtmlPicture]) -> str:
            shown = [board.html for board in boards]
            return page(wording.text, sender, shown, wording.preheader, _style(boards))

        # Without the HTML of boards they are text, so nothing else can need more than this.
        room = _CLIPPED - len(html(())) - len(STYLE) if len(pictures) > 1 else 0
        tables = wanted != "only"
        drawn = tuple(self.pictures.cards(pictures, cids, sender, room, tables=tables))
        return MailHtml(html(drawn), tuple(board.image for board in drawn if board.image))

    def _tagged(self, token: Token, name: str, now: datetime) -> str:
        """Return our address with a token in it, veiled under `name`."""
        word = self.mint.veil(self.mint.issue(token, now), name)
        return with_word(self.address, word)

    def _thread(self, message: Message, answers: str | None) -> list[tuple[str, str]]:
        """Return the headers that make one thread of a match's mails: all refer to one root id."""
        if message.threadless:
            # The reader may be somebody else than the writer, whose Message-ID stays out.
            return []
        number = message.thread
        root = f"<board-{number}@{self._domain}>" if number is not None else answers
        return [("In-Reply-To", root), ("References", root)] if root else []

    def _list_headers(
        self, wording: Wording, message: Message, message_id: str, now: datetime
    ) -> list[tuple[str, str]]:
        """Return the headers by which a reader sorts mails, or stops unwanted ones.

        RFC 2369 section 3.2: a mail to this address stops them, as it is and without a reply.
        """
        headers = []
        if wording.game:
            headers.append(("List-Id", f"<{wording.game}.{self._domain}>"))
        if wording.leave and message.reader:
            token = leave_token(wording.leave, message.reader.id)
            to = self._tagged(token, leave_veil(message_id), now)
            subject = quote(wording.leave.subject)
            headers.append(("List-Unsubscribe", f"<mailto:{to}?subject={subject}>"))
        if wording.archive:
            headers.append(("List-Archive", f"<{wording.archive}>"))
        if wording.bulk:
            headers.append(("Precedence", "bulk"))
        return headers


def _style(boards: Iterable[HtmlPicture]) -> str:
    """Return the rules that the tables of these boards need, or "" without tables.

    A mail with a picture has those of figures in any case, which are 3 KB: SpamAssassin takes
    pictures with less than 3,200 octets of HTML for spam (its rules HTML_IMAGE_ONLY_*).
    """
    needs = {board.cells for board in boards if board.cells is not None or board.image}
    return rules(frozenset(cells for cells in needs if cells)) if needs else ""
