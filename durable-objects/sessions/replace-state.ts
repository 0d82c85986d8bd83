// Puts an AgentState in the place of what a session has, as AgentScope's `load_state_dict` does.
import type { AbilityFold } from "../../agent/ability.ts";
import { CONTEXT_FOLD, type ContextState } from "../../agent/context/context-fold.ts";
import { isSameRule } from "../../agent/permission/is-same-rule.ts";
import { importedContent, readUntrusted } from "../../agent/permission/untrusted-content.ts";
import { UNTRUSTED_CONTENT_FOLD } from "../../agent/permission/untrusted-content-fold.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import type { AgentStateInput } from "../../protocol/sessions/session-state.ts";
import type { Actor } from "../api/session-api.ts";
import { areLarge, type StagedMessages } from "../log/stage-messages.ts";
import { admitBytes } from "./admit-bytes.ts";
import {
  changeConversation,
  changedStates,
  changeEvents,
  readState,
  refuseChange,
  sameBeginning,
  type ConversationChange,
} from "./change-conversation.ts";
import {
  applyPermission,
  permissionChange,
  readGiven,
  refusePermission,
  type GivenConversation,
  type PermissionChange,
  type StateImport,
} from "./import-state.ts";
import { importedStates } from "./imported-states.ts";
import { isChange } from "./restore-session.ts";
import type { OpenSession } from "./open-session.ts";

export interface StateReplacement {
  readonly state: AgentStateInput;
  /** The newest positions that the client may know; left out for any. */
  readonly if_cursors?: readonly number[] | undefined;
}

interface PreparedReplacement extends ConversationChange {
  readonly permission: (PermissionChange & { readonly removed: readonly string[] }) | null;
}

/**
 * All or nothing, in one commit. Messages at the beginning that are the same stay where they are. The state that the
 * session has already changes nothing.
 */
export async function replaceState(
  session: OpenSession,
  { state, if_cursors }: StateReplacement,
  actor: Actor,
): Promise<Result<StateImport>> {
  const prepare = () => prepareReplacement(session, { state, if_cursors }, actor);
  const prepared = prepare();
  if (!prepared.ok) return prepared;
  const { messages, states: changed } = prepared.value;
  if (isChange(session, prepared.value)) {
    const admitted = await admitBytes(session, [messages, changed]);
    if (!admitted.ok) return admitted;
  }
  if (!areLarge(messages)) {
    const now = prepare();
    return now.ok ? write(now.value) : now;
  }
  return session.queue.aheadOfQueue(async (_, staging) => {
    await staging.stage(messages, 0, changeEvents(session, prepared.value));
    const now = prepare();
    if (!now.ok) return now;
    const staged = staging.use(now.value.messages);
    // Values that are made each time, such as ids, are those of the parts on disk.
    return write(staged ? { ...now.value, messages, states: changed } : now.value, staged);
  });

  async function write(
    change: PreparedReplacement,
    staged?: StagedMessages,
  ): Promise<Result<StateImport>> {
    const { permission } = change;
    const is_permission_changed = permission !== null;
    const setPermission = () => {
      for (const id of permission?.removed ?? []) session.tables.rules.remove(id);
      if (permission) applyPermission(session, permission, actor);
    };
    const is_imported = isChange(session, change);
    if (is_imported) changeConversation(session, { ...change, write: setPermission }, staged);
    else session.transaction(setPermission);
    await Promise.all([session.log.settled(), session.sync()]);
    return accept({ is_imported, is_permission_changed });
  }
}

function prepareReplacement(
  session: OpenSession,
  { state, if_cursors }: StateReplacement,
  actor: Actor,
): Result<PreparedReplacement> {
  const refused = refuseChange(session, if_cursors);
  if (refused) return refused;
  const given = readGiven(session, state);
  if (!given.ok) return given;
  const permission = replacedPermission(session, state);
  const refusedChange = refusePermission(session, permission, actor, permission?.removed.length);
  if (refusedChange) return refusedChange;
  const { messages } = given.value;
  const { kept, count } = sameBeginning(session, messages, 0);
  const states = changedStates(session.tables.abilities, targets(session, state, given.value));
  return accept({ kept, states, messages: messages.slice(count), permission });
}

/** The state of each ability: what an import would make of the given one, and where it has none the initial one. */
function targets(
  session: OpenSession,
  input: AgentStateInput,
  { messages, summary }: GivenConversation,
): (fold: AbilityFold<unknown>) => unknown {
  const { abilities } = session.tables;
  const agent = equippedAgent(session.init);
  const given = new Map(Object.entries(importedStates(session, input) ?? {}));
  const said = readUntrusted(input.middle_context);
  return (fold) => {
    if (fold.name === CONTEXT_FOLD.name) {
      return summaryState(session, readState(abilities, fold) as ContextState, summary);
    }
    if (fold.name === UNTRUSTED_CONTENT_FOLD.name)
      return said ?? importedContent(messages, summary);
    if (!fold.adopt || !given.has(fold.name)) return fold.initial;
    return fold.adopt(given.get(fold.name), agent) ?? fold.initial;
  };
}

function summaryState({ newId }: OpenSession, now: ContextState, text: string): ContextState {
  if (text === "") return CONTEXT_FOLD.initial;
  if (now.summary?.text === text && now.boundary === null) return now;
  const summary = { id: newId("sum"), text, created_at: new Date().toISOString() };
  return { ...CONTEXT_FOLD.initial, summary };
}

/** Null when the state has no permission, or the session's current one. Its rules become all that the session has. */
function replacedPermission(
  session: OpenSession,
  input: AgentStateInput,
): PreparedReplacement["permission"] {
  const { permission_context } = input;
  if (!permission_context) return null;
  const { allow_rules, deny_rules, ask_rules } = permission_context;
  const given = [allow_rules, deny_rules, ask_rules].flatMap((rules) =>
    Object.values(rules).flat(),
  );
  const removed = session.tables.rules
    .all()
    .filter((rule) => !given.some((one) => isSameRule(one, rule)))
    .flatMap(({ id }) => id ?? []);
  const change = permissionChange(session, input);
  if (change) return { ...change, removed };
  if (removed.length === 0) return null;
  const { init } = session;
  const mode = permission_context.mode;
  return { mode, working_directories: init.working_directories ?? [], rules: [], removed };
}
