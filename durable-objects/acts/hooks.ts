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
  /** Whether they are checked alone. */
  readonly validate_only: boolean;
  /** Whether warnings refuse them. */
  readonly is_strict: boolean;
}

function readHooks({ init, log }: OpenSession): Result<SessionHooks> {
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const { list = [], version = 0 } = init.hooks ?? {};
  return accept({ hooks: [...list], agent_hooks: [...(init.agent.hooks ?? [])], version });
}

/**
 * Resolves when they are on disk; the next reply is the first with them. The same list again is no change. There is no
 * await between the look at the version and the write.
 */
async function writeHooks(
  session: OpenSession,
  { hooks, if_version, validate_only, is_strict }: HooksWrite,
): Promise<Result<WrittenSessionHooks>> {
  const { settings, log } = session;
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const { list = [], version = 0 } = settings.init.hooks ?? {};
  if (if_version && !if_version.includes(version)) {
    const detail = `the hooks are at version ${version}`;
    return refuse("version_mismatch", detail, { extensions: { version } });
  }
  const found = ownHookWarnings(hooks, settings.init.agent);
  if (is_strict && found.length > 0) return refuseSilent(found);
  const warned = found.length > 0 && { warnings: [...found] };
  if (validate_only) {
    const read = readHooks(session);
    return read.ok ? accept({ ...read.value, hooks: [...hooks], ...warned }) : read;
  }
  if (!isSameJson(list, hooks)) settings.update({ hooks });
  await session.sync();
  const written = readHooks(session);
  return written.ok ? accept({ ...written.value, ...warned }) : written;
}

export const HOOK_ACTS = {
  readHooks: act<void, SessionHooks>({ run: readHooks }),

  /** Replaces the session's own hooks. An open reply keeps those that it began with. */
  writeHooks: act<HooksWrite, WrittenSessionHooks>({ run: writeHooks }),
} as const;
