// The next model call's content, counted.
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import { contextLimits } from "../../agent/context/context-limits.ts";
import { ContextMeter } from "../../agent/context/context-meter.ts";
import {
  countMessage,
  countRequest,
  countText,
  countTool,
} from "../../agent/context/count-tokens.ts";
import { withSkills } from "../../agent/skills/skills-prompt.ts";
import type { SessionContext } from "../../protocol/context/compression.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { jsonOf, listPieces, objectPieces } from "../bytes/json-pieces.ts";
import type { Piece } from "../bytes/piece-reader.ts";
import { countedCall } from "../context/earlier-call.ts";
import { nextCall } from "../context/next-call.ts";
import { readContext } from "../context/read-context.ts";
import { pinnedSkillsOf } from "../settings/session-skills.ts";
import { windowOf } from "../settings/window-of.ts";
import type { OpenSession } from "./open-session.ts";
import { chosenModels } from "../settings/chosen-models.ts";

/** The context of the open reply, or of one that would begin now without input. Changes nothing. */
export async function viewContext(session: OpenSession): Promise<Result<Iterable<Piece>>> {
  const { settings, tables, log, compression, newId } = session;
  const { openReply } = session;
  const open = openReply ?? { id: "", startCursor: log.lastSeq };
  const init = openReply ? settings.replyInit : settings.init;
  const { agent } = init;
  const { history } = await readContext(tables, agent, { below: open.startCursor + 1, open });
  if (log.isClosed) return refuse("not_found", "there is no such session");
  // A reply has begun or ended while the history was read.
  if ((session.openReply?.id ?? "") !== open.id) return viewContext(session);
  const reply = session.openReply?.state ?? null;
  const call = nextCall({ init, tables, newId, history, reply });
  const [model] = chosenModels(agent, reply?.model_options?.model) ?? [agent.model];
  const { counter, size, soft, hard } = contextLimits(agent.context ?? {}, windowOf(agent, model));
  const system_prompt = withSkills(agent.system_prompt, pinnedSkillsOf(init));
  const hints = call.hints.map((hint) => ({ ...hint, tokens: countText(hint.text, counter) }));
  const ofHints = hints.reduce((sum, { tokens }) => sum + tokens, 0);
  const counted = countRequest({ system_prompt, ...call }, counter);
  const state = tables.abilities.read(CONTEXT_FOLD);
  const earlier = { state: () => state, earlierCall: () => countedCall(tables, history, reply) };
  const total = new ContextMeter(earlier).count({ system_prompt, ...call }, counter) + ofHints;
  const { summary } = state;
  const small = {
    context_size: size,
    soft_threshold: soft,
    hard_threshold: hard,
    token_counter: counter,
    tokens: {
      ...counted,
      total,
      messages: counted.messages + ofHints,
    },
    system_prompt,
    summary: summary && { id: summary.id, text: summary.text },
    tools: call.tools.map((tool) => ({ name: tool.name, tokens: countTool(tool, counter) })),
    hints,
    messages: [],
    compressing: compression.isActive,
    failure: tables.compression.failure,
  } satisfies SessionContext;
  const messages = call.messages.map((message) =>
    jsonOf({ message, tokens: countMessage(message, counter) }),
  );
  return accept(objectPieces(small, { messages: listPieces(messages) }));
}
