// Imports a session from AgentScope's AgentState.
import {
  CONTEXT_ABILITY,
  CONTEXT_FOLD,
  type ContextState,
} from "../../agent/context/context-fold.ts";
import { isSameRule } from "../../agent/permission/is-same-rule.ts";
import { importedContent, readUntrusted } from "../../agent/permission/untrusted-content.ts";
import { UNTRUSTED_CONTENT } from "../../protocol/messages/untrusted-content.ts";
import { settleCalls } from "../../agent/answers/settle-calls.ts";
import type { AgentStateInput, PermissionContext } from "../../protocol/sessions/session-state.ts";
import { WorkingDirectoriesSchema } from "../../protocol/sessions/session-settings.ts";
import { ABILITY_STATE } from "../../protocol/ability-state.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MAX_SUMMARY_CHARACTERS } from "../../protocol/context/limits.ts";
import { UserMsg } from "../../protocol/messages/constructors.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { MAX_RULES } from "../../protocol/permission/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import { importedSnapshots } from "./ability-snapshots.ts";
import { admitBytes } from "./admit-bytes.ts";
import { addMessages } from "./add-messages.ts";
import { importedStates } from "./imported-states.ts";
import { matchKnownMessages } from "../tables/known-messages.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import type { OpenSession } from "./open-session.ts";
import { refuseBusy } from "../replies/refuse-busy.ts";
import type { Actor } from "../api/session-api.ts";
import { areLarge, type StagedMessages } from "../log/stage-messages.ts";

const RULES_SCOPE = "permission_rules:write";
const SUMMARY_ID = "summary";

/** Effects of an import. */
export interface StateImport {
  /** False for a state that the session had already. */
  readonly is_imported: boolean;
  readonly is_permission_changed: boolean;
}

const NOTHING: StateImport = { is_imported: false, is_permission_changed: false };

/**
 * Fills a session that has no messages yet, in one commit. The same state again changes nothing; another one is
 * refused, as is permission from an actor who may not write it.
 */
export async function importState(
  session: OpenSession,
  input: AgentStateInput,
  actor: Actor,
): Promise<Result<StateImport>> {
  const prepared = prepareImport(session, input, actor);
  if (!prepared.ok || !prepared.value) return prepared.ok ? accept(NOTHING) : prepared;
  const { messages, snapshots } = prepared.value;
  const admitted = await admitBytes(session, messages);
  if (!admitted.ok) return admitted;
  if (!areLarge(messages)) {
    const now = prepareImport(session, input, actor);
    if (!now.ok || !now.value) return now.ok ? accept(NOTHING) : now;
    return writeImport(session, now.value);
  }
  return session.queue.aheadOfQueue(async (_, staging) => {
    await staging.stage(messages, 0, snapshots);
    // Another request may have filled the session meanwhile.
    const again = prepareImport(session, input, actor);
    if (!again.ok || !again.value) return again.ok ? accept(NOTHING) : again;
    const staged = staging.use(messages);
    // Values that are made each time, such as ids, are those of the parts on disk.
    const complete = staged ? { ...again.value, messages, snapshots } : again.value;
    return writeImport(session, complete, staged);
  });
}

/** Writes of an import's commit. */
interface PreparedImport {
  readonly messages: readonly Msg[];
  readonly snapshots: readonly EventDraft[];
  readonly write: () => void;
  /** Of the session's permission settings. */
  readonly isChange: boolean;
}

async function writeImport(
  session: OpenSession,
  { messages, snapshots, write, isChange }: PreparedImport,
  staged?: StagedMessages,
): Promise<Result<StateImport>> {
  addMessages(session, messages, { snapshots, staged, write });
  await session.log.settled();
  return accept({ is_imported: true, is_permission_changed: isChange });
}

/** The conversation of a state, as a session stores it. */
export interface GivenConversation {
  readonly messages: readonly Msg[];
  /** The text in place of the messages before them; empty for none. */
  readonly summary: string;
}

export function readGiven(session: OpenSession, input: AgentStateInput): Result<GivenConversation> {
  const settled = settleCalls(input.context);
  if ("orphan" in settled) {
    const { message, block } = settled.orphan;
    const detail = "this result has no call before it";
    const pointer = `#/context/${message}/content/${block}`;
    return refuse("validation_failed", detail, { errors: [{ pointer, detail }] });
  }
  const summary = readSummary(input);
  const messages = [...summaryMessage(session, input, summary), ...settled.messages];
  return accept({ messages, summary: summary.text });
}

/**
 * Refuses a change of the permission that is not the actor's, or has too many rules. @param removed Number of rules that
 * go with it.
 */
export function refusePermission(
  { tables }: OpenSession,
  change: PermissionChange | null,
  { may_write_rules }: Actor,
  removed = 0,
): ReturnType<typeof refuse> | null {
  if (!change) return null;
  const pointer = "#/permission_context";
  if (!may_write_rules) {
    const detail = `the state changes the session's permission; that needs the scope ${RULES_SCOPE}`;
    const extensions = { required_scope: RULES_SCOPE };
    return refuse("insufficient_scope", detail, { errors: [{ pointer, detail }], extensions });
  }
  if (tables.rules.all().length + change.rules.length - removed <= MAX_RULES) return null;
  const detail = `a session has ${MAX_RULES} rules at most`;
  return refuse("validation_failed", detail, { errors: [{ pointer, detail }] });
}

/** Null for a state that the session has already. */
function prepareImport(
  session: OpenSession,
  input: AgentStateInput,
  actor: Actor,
): Result<PreparedImport | null> {
  const { log, tables, active } = session;
  if (log.isClosed) return refuse("not_found", "there is no such session");
  if (active && !active.isOver) return refuseBusy(active, tables.calls);
  const given = readGiven(session, input);
  if (!given.ok) return given;
  const { messages, summary } = given.value;
  const change = permissionChange(session, input);
  const before = tables.abilities.read(CONTEXT_FOLD);
  if (tables.messages.count() > 0 || before.summary) {
    const known = matchKnownMessages(messages, (id) => tables.messages.find(id));
    const isSame =
      change === null &&
      (before.summary?.text ?? "") === summary &&
      !("conflict" in known) &&
      known.fresh.length === 0 &&
      tables.messages.count() === messages.length;
    if (!isSame) {
      return refuse(
        "conflict",
        "this session has messages already; open another one for the state",
      );
    }
    return accept(null);
  }
  const refused = refusePermission(session, change, actor);
  if (refused) return refused;
  const snapshots = [
    ...importedSnapshots(
      tables.abilities,
      importedStates(session, input),
      equippedAgent(session.init),
    ),
    ...summarySnapshot(session, summary),
    ...untrustedSnapshot(input, messages, summary),
  ];
  const write = () => {
    if (change) applyPermission(session, change, actor);
  };
  return accept({ messages, snapshots, write, isChange: change !== null });
}

export interface PermissionChange extends Pick<PermissionContext, "mode"> {
  readonly working_directories: readonly string[];
  /** The rules that the session does not have yet, each once. */
  readonly rules: readonly PermissionRule[];
}

/** Null when the state has no permission, or the session's current one. */
export function permissionChange(
  { init, tables }: OpenSession,
  { permission_context }: AgentStateInput,
): PermissionChange | null {
  if (!permission_context) return null;
  const { mode, allow_rules, deny_rules, ask_rules } = permission_context;
  const given = [allow_rules, deny_rules, ask_rules].flatMap((rules) =>
    Object.values(rules).flat(),
  );
  const rules = given.filter(
    (rule, index) =>
      !tables.rules.findSame(rule) && given.findIndex((other) => isSameRule(other, rule)) === index,
  );
  const working_directories = WorkingDirectoriesSchema.parse(
    Object.keys(permission_context.working_directories),
  );
  const isSame =
    mode === (init.permission?.mode ?? init.agent.permission.mode) &&
    rules.length === 0 &&
    JSON.stringify(working_directories) === JSON.stringify(init.working_directories ?? []);
  return isSame ? null : { mode, working_directories, rules };
}

/** Part of a transaction. */
export function applyPermission(
  session: OpenSession,
  { mode, working_directories, rules }: PermissionChange,
  { id: created_by }: Actor,
): void {
  const { settings, tables } = session;
  settings.update({ permission: { mode }, working_directories });
  const created_at = new Date().toISOString();
  for (const rule of rules) {
    tables.rules.insert({ id: session.newId("rul"), rule, created_at, created_by });
  }
}

interface ReadSummary {
  /** Becomes the state of the context. */
  readonly text: string;
  /** The rest, which becomes the first message of the conversation: media, and a text too long for a summary. */
  readonly content: Exclude<AgentStateInput["summary"], string> | string;
}

function readSummary({ summary }: AgentStateInput): ReadSummary {
  const blocks = typeof summary === "string" ? [] : summary;
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const text = typeof summary === "string" ? summary : texts.join("\n\n");
  if (text.length > MAX_SUMMARY_CHARACTERS) return { text: "", content: summary };
  return { text, content: blocks.filter(({ type }) => type !== "text") };
}

/** The first event of the conversation: the summary of messages that the session never had. */
function summarySnapshot({ newId }: OpenSession, text: string): readonly EventDraft[] {
  if (text === "") return [];
  const summary = { id: newId("sum"), text, created_at: new Date().toISOString() };
  const state: ContextState = { ...CONTEXT_FOLD.initial, summary };
  return [{ type: "CUSTOM", name: ABILITY_STATE, value: { ability: CONTEXT_ABILITY, state } }];
}

/** Untrusted content as the state names it, and else everything that tools have said before. */
function untrustedSnapshot(
  { middle_context }: AgentStateInput,
  messages: readonly Msg[],
  summary: string,
): readonly EventDraft[] {
  const said = readUntrusted(middle_context);
  const state = said ?? importedContent(messages, summary);
  if (state.results.length === 0) return [];
  const value = { ability: UNTRUSTED_CONTENT, state };
  return [{ type: "CUSTOM", name: ABILITY_STATE, value }];
}

function summaryMessage(
  session: OpenSession,
  { context }: AgentStateInput,
  { content }: ReadSummary,
): readonly Msg[] {
  if (content.length === 0) return [];
  // The same state again has the same messages.
  const isTaken = context.some(({ id }) => id === SUMMARY_ID);
  const id = isTaken ? session.newId("msg") : SUMMARY_ID;
  return [UserMsg({ name: "summary", content, id })];
}
