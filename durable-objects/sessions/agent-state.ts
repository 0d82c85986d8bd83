// Exports a session as AgentScope's AgentState.
import { afterBoundary } from "../../agent/context/context-view.ts";
import {
  CONTEXT_ABILITY,
  CONTEXT_FOLD,
  type ContextState,
} from "../../agent/context/context-fold.ts";
import { MEMORY_ABILITY } from "../../agent/memory/memory-fold.ts";
import { NO_UNTRUSTED_CONTENT } from "../../agent/permission/untrusted-content.ts";
import { UNTRUSTED_CONTENT } from "../../protocol/messages/untrusted-content.ts";
import type { AgentState } from "../../protocol/sessions/session-state.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { MAX_HISTORY_BYTES } from "../../protocol/replies/limits.ts";
import { abilityStatesAt } from "./ability-snapshots.ts";
import { jsonOf, listPieces, objectPieces } from "../bytes/json-pieces.ts";
import { contextStart } from "../context/context-start.ts";
import { exportedParts } from "../settings/exported-parts.ts";
import { permissionContext } from "../settings/permission-context.ts";
import type { OpenSession } from "./open-session.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { shownMessages } from "./session-pages.ts";
import { withoutRecalled } from "./without-recalled.ts";

/** The exported state. Resolves when all of it is durable. */
export async function readState(session: OpenSession): Promise<Result<Iterable<Piece>>> {
  const { active } = session;
  if (active && !active.isRunning) await session.log.settled();
  const states = await abilityStatesAt(session);
  if (session.log.isClosed) return refuse("not_found", "there is no such session");
  const open = active && !active.isOver ? active : null;
  const found = states.find(({ ability }) => ability === CONTEXT_ABILITY);
  const compressed = (found?.state as ContextState | undefined) ?? CONTEXT_FOLD.initial;
  const start = contextStart(compressed, session.tables.messages, open);
  const hasRecalled = states.some(({ ability }) => ability === MEMORY_ABILITY);
  const context: Iterable<Piece>[] = [];
  let size = 0;
  let { is_truncated: context_truncated } = compressed;
  for (const { item, bytes } of shownMessages(session, Infinity)) {
    if (item.position < start) break;
    size += bytes;
    if (size > MAX_HISTORY_BYTES && context.length > 0) {
      context_truncated = true;
      break;
    }
    const isCut = item.position === start && typeof compressed.boundary?.block_id === "string";
    const pieces = isCut ? cutMessage(session, compressed) : [item.shown];
    context.push(...(hasRecalled ? pieces.map(withoutRecalled) : pieces));
  }
  const parts = exportedParts(session.init, session.tables);
  const small = {
    session_id: session.init.session_id,
    summary: compressed.summary?.text ?? "",
    context: [],
    context_truncated,
    reply_context: {
      reply_id: open?.id ?? "",
      cur_iter: open?.state.iterations ?? 0,
      structured_schema: open?.state.structured_schema ?? null,
      structured_output: open?.state.message.structured_output ?? null,
    },
    permission_context: permissionContext(session.init, session.tables),
    // The initial values of an AgentScope agent.
    tool_context: {
      max_cache_files: 100,
      max_cache_bytes: 25_000,
      read_file_cache: [],
      activated_groups: [],
      ...parts.tool_context,
    },
    tasks_context: { tasks: [], ...parts.tasks_context },
    // The context's own state is `summary` and where the messages begin.
    middle_context: {
      // Said in any case: what an import does not say is not trusted.
      [UNTRUSTED_CONTENT]: NO_UNTRUSTED_CONTENT,
      ...Object.fromEntries(
        states.flatMap(({ ability, state }) =>
          ability === CONTEXT_ABILITY ? [] : [[ability, state]],
        ),
      ),
    },
  } satisfies AgentState;
  return accept(objectPieces(small, { context: listPieces(context.reverse()) }));
}

/** The message in which the context begins, without the blocks that were summarised; none when none is left. */
function cutMessage(
  { tables, openReply }: OpenSession,
  { boundary }: Pick<ContextState, "boundary">,
): readonly Iterable<Piece>[] {
  const id = boundary?.message_id ?? "";
  const isOpen = openReply?.id === id;
  const message = isOpen ? openReply.durable?.message : tables.messages.find(id)?.message;
  const [cut] = message ? afterBoundary([message], { boundary }) : [];
  return cut && cut.content.length > 0 ? [jsonOf(cut)] : [];
}
