// The hooks of one session, beside those of its agent.
import { isSameJson } from "../../agent/json/is-same-json.ts";
import { refuseSilent } from "../../agent/warnings/refuse-silent.ts";
import { ownHookWarnings } from "../../agent/warnings/session-warnings.ts";
import type {
  HookDefinition,
  SessionHooks,
  WrittenSessionHooks,
} from "../../protocol/hooks/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { act } from "./act.ts";

export interface HooksWrite {
  readonly hooks: readonly HookDefinition[];
  /** The list must have one of these versions; any when left out. */
  readonly if_version?: readonly number[];
}

interface HookRemoval extends Pick<HooksWrite, "if_version"> {
  readonly name: string;
  /** Any when left out, of which there has to be one alone. */
  readonly point?: HookDefinition["point"] | undefined;
}

interface HooksCheck extends HooksWrite {
  /** Whether warnings refuse them. */
  readonly is_strict: boolean;
}

function readHooks({ init, log }: OpenSession): Result<SessionHooks> {
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const { list = [], version = 0 } = init.hooks ?? {};
  return accept({ hooks: [...list], agent_hooks: [...(init.agent.hooks ?? [])], version });
}

/** The answer that a write would have. Refuses another version, and what says nothing where warnings refuse. */
function checkHooks(
  { init, log }: OpenSession,
  { hooks, if_version, is_strict }: HooksCheck,
): Result<WrittenSessionHooks> {
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const { version = 0 } = init.hooks ?? {};
  if (if_version && !if_version.includes(version)) return otherVersion(version);
  const found = ownHookWarnings(hooks, init.agent);
  if (is_strict && found.length > 0) return refuseSilent(found);
  return accept({
    hooks: [...hooks],
    agent_hooks: [...(init.agent.hooks ?? [])],
    version,
    ...(found.length > 0 && { warnings: [...found] }),
  });
}

/**
 * Resolves when they are on disk; the next reply is the first with them. The same list again is no change. There is no
 * await between the look at the version and the write.
 */
async function writeHooks(
  session: OpenSession,
  { hooks, if_version }: HooksWrite,
): Promise<Result<WrittenSessionHooks>> {
  const checked = checkHooks(session, { hooks, if_version, is_strict: false });
  if (!checked.ok) return checked;
  const { settings, init } = session;
  if (!isSameJson(init.hooks?.list ?? [], hooks)) settings.update({ hooks });
  await session.sync();
  const written = readHooks(session);
  const { warnings } = checked.value;
  return written.ok ? accept({ ...written.value, ...(warnings && { warnings }) }) : written;
}

/** As {@link writeHooks}, with the list without one of its hooks. */
async function removeHook(
  session: OpenSession,
  { name, point, if_version }: HookRemoval,
): Promise<Result<SessionHooks>> {
  const { init, log, settings } = session;
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const { list = [], version = 0 } = init.hooks ?? {};
  if (if_version && !if_version.includes(version)) return otherVersion(version);
  const named = list.filter(
    (hook) => hook.name === name && (point === undefined || hook.point === point),
  );
  if (named.length === 0) {
    const where = point === undefined ? "" : ` at ${point}`;
    const detail = `the session has no hook ${name}${where} of its own`;
    return refuse("not_found", detail);
  }
  if (named.length > 1) {
    const points = named.map((hook) => hook.point).join(", ");
    const message = `the session has hooks of this name at ${points}`;
    const error = { pointer: "#/query/point", detail: message };
    return refuse("validation_failed", message, { errors: [error] });
  }
  settings.update({ hooks: list.filter((hook) => !named.includes(hook)) });
  await session.sync();
  return readHooks(session);
}

function otherVersion(version: number) {
  const detail = `the hooks are at version ${version}`;
  return refuse("version_mismatch", detail, { extensions: { version } });
}

export const HOOK_ACTS = {
  readHooks: act<void, SessionHooks>({ run: readHooks }),

  /** Changes nothing. An act of its own: an object that still runs the release before would write. */
  checkHooks: act<HooksCheck, WrittenSessionHooks>({ run: checkHooks }),

  /** Replaces the session's own hooks. An open reply keeps those that it began with. */
  writeHooks: act<HooksWrite, WrittenSessionHooks>({ run: writeHooks }),

  /** Takes one of the session's own hooks off its list. An open reply keeps it. */
  removeHook: act<HookRemoval, SessionHooks>({ run: removeHook }),
} as const;
