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
  if (if_version && !if_version.includes(version)) {
    const detail = `the hooks are at version ${version}`;
    return refuse("version_mismatch", detail, { extensions: { version } });
  }
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

export const HOOK_ACTS = {
  readHooks: act<void, SessionHooks>({ run: readHooks }),

  /** Changes nothing. An act of its own: an object that still runs the release before would write. */
  checkHooks: act<HooksCheck, WrittenSessionHooks>({ run: checkHooks }),

  /** Replaces the session's own hooks. An open reply keeps those that it began with. */
  writeHooks: act<HooksWrite, WrittenSessionHooks>({ run: writeHooks }),
} as const;
