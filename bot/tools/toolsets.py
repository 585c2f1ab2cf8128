"""Which process may call what, in the order in which the model sees it. Add a tool: one line here."""

from __future__ import annotations

from bot.domain.channel import ProcessKind
from bot.tools.activate_skill import activate_skill
from bot.tools.artifact_read import artifact_read
from bot.tools.await_result import await_result
from bot.tools.branch import branch
from bot.tools.browser import browser
from bot.tools.cancel import cancel
from bot.tools.channel_recall import channel_recall
from bot.tools.check_task import check_task
from bot.tools.config_inspect import config_inspect
from bot.tools.context_inspect import context_inspect
from bot.tools.doctor import doctor
from bot.tools.exec import exec_program
from bot.tools.extend_tool_loop import extend_tool_loop
from bot.tools.file_edit import file_edit
from bot.tools.file_list import file_list
from bot.tools.file_read import file_read
from bot.tools.file_search import file_search
from bot.tools.file_write import file_write
from bot.tools.finish import finish
from bot.tools.list_active_servers import list_active_servers
from bot.tools.list_all_tools import list_all_tools
from bot.tools.memory_delete import memory_delete
from bot.tools.memory_recall import memory_recall
from bot.tools.memory_save import memory_save
from bot.tools.offer_choices import offer_choices
from bot.tools.preference_retract import preference_retract
from bot.tools.preference_revise import preference_revise
from bot.tools.react import react
from bot.tools.read_channel_context import CapturePages, read_channel_context
from bot.tools.reload_tools import reload_tools
from bot.tools.reply import reply
from bot.tools.request_tool_injection import request_tool_injection
from bot.tools.retrieve_tool_call_log import retrieve_tool_call_log
from bot.tools.runtime.admin_session import AdminSession
from bot.tools.runtime.tool import ToolSpec
from bot.tools.send_card import send_card
from bot.tools.send_file import send_file
from bot.tools.send_poll import send_poll
from bot.tools.shell import shell
from bot.tools.skip import skip
from bot.tools.spawn_worker import spawn_worker
from bot.tools.web_fetch import web_fetch
from bot.tools.web_search import web_search
from bot.tools.worker_inspect import worker_inspect

CAPTURED_NEEDS: tuple[type, ...] = (CapturePages, AdminSession)
"""What a single process hands in when it begins; every other need of a tool must be met at start."""

_LONG_CALL_TOOLS: tuple[ToolSpec, ...] = (check_task, await_result)
_ON_DEMAND_TOOLS: tuple[ToolSpec, ...] = (list_all_tools, request_tool_injection)

TOOLSETS: dict[ProcessKind, tuple[ToolSpec, ...]] = {
    ProcessKind.CHANNEL: (
        *(reply, skip, react, branch, spawn_worker, cancel, memory_save, memory_recall, channel_recall),
        activate_skill,
        *(preference_revise, preference_retract, artifact_read),
        *(offer_choices, send_card, send_poll, send_file),
        *(retrieve_tool_call_log, *_LONG_CALL_TOOLS, extend_tool_loop, *_ON_DEMAND_TOOLS),
    ),
    ProcessKind.BRANCH: (
        *(memory_save, memory_recall, memory_delete, channel_recall, worker_inspect, spawn_worker),
        *(preference_revise, preference_retract, artifact_read),
        *(retrieve_tool_call_log, *_LONG_CALL_TOOLS, *_ON_DEMAND_TOOLS),
    ),
    ProcessKind.WORKER: (
        *(file_read, file_write, file_edit, file_list, file_search, shell, exec_program),
        *(web_fetch, web_search, browser),
        finish,
        *(retrieve_tool_call_log, *_LONG_CALL_TOOLS, *_ON_DEMAND_TOOLS),
    ),
    ProcessKind.INSPECTION: (
        *(read_channel_context, memory_recall, channel_recall, worker_inspect),
        retrieve_tool_call_log,
    ),
    ProcessKind.CORTEX: (
        *(context_inspect, memory_recall, memory_save, memory_delete, channel_recall, worker_inspect),
        *(retrieve_tool_call_log, config_inspect, doctor, list_active_servers, reload_tools, spawn_worker),
    ),
}
