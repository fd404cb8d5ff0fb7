"""The use cases: one function a command, all in one table.

A handler takes the request's context and the command, changes what is stored through the
unit of work, and yields who is to be told what. It raises a Refusal, or lets a game's
MoveError pass, and then nothing it did stays.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbm.domain import commands
from pbm.service.context import Context
from pbm.service.handlers import (
    accounts,
    addresses,
    asking,
    errands,
    inviting,
    leaving,
    offering,
    passwords,
    playing,
    previewing,
    queueing,
    results,
    settings,
    talking,
    vacation,
    wishing,
)
from pbm.service.notices import Notice

Handler = Callable[[Context, Any], Iterator[Notice]]

HANDLERS: Mapping[type, Handler] = {
    commands.Help: asking.show_help,
    commands.Show: asking.show_boards,
    commands.Games: asking.list_boards,
    commands.Overview: results.show_overview,
    commands.Standings: results.show_standings,
    commands.History: results.show_history,
    commands.Record: results.send_record,
    commands.Signup: accounts.ask_signup,
    commands.Confirm: accounts.confirm_signup,
    commands.ChangePassword: passwords.change_password,
    commands.ChangeAddress: addresses.change_address,
    commands.AddAddress: addresses.add_address,
    commands.Forgot: passwords.forgot,
    commands.SignOff: leaving.sign_off,
    commands.ConfirmErrand: errands.confirm_errand,
    commands.Set: settings.change_setting,
    commands.Vacation: vacation.vacation,
    commands.Challenge: inviting.challenge,
    commands.Accept: inviting.accept,
    commands.Decline: inviting.decline,
    commands.Reject: inviting.reject,
    commands.Offer: offering.make_offer,
    commands.Queue: queueing.queue,
    commands.ClearQueue: queueing.clear,
    commands.Submit: previewing.submit,
    commands.PlaySubmitted: previewing.play_submitted,
    commands.Preview: previewing.preview,
    commands.PreviewNew: previewing.preview_new,
    commands.Move: playing.move,
    commands.Swap: playing.swap,
    commands.Resign: playing.resign,
    commands.Chat: talking.chat,
    commands.Message: talking.message,
    commands.Broadcast: talking.broadcast,
    commands.Follow: talking.follow,
    commands.Unfollow: talking.unfollow,
    commands.Stand: wishing.stand,
    commands.Limit: wishing.limit,
    commands.SeekMatches: wishing.seek,
}
"""Which function carries out which command."""
