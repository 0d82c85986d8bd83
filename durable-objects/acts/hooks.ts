// The hooks of one session, beside those of its agent.
import { isSameJson } from "../../agent/json/is-same-json.ts";
import type { HookDefinition, SessionHooks } from "../../protocol/hooks/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { act } from "./act.ts";

export interface HooksWrite {
  readonly hooks: readonly HookDefinition[];
  /** The list must have one of these versions; any when left out. */
  readonly if_version?: readonly number[];
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
  { hooks, if_version }: HooksWrite,
): Promise<Result<SessionHooks>> {
  const { settings, log } = session;
  if (log.isClosed) return refuse("not_found", "there is no such session");
  const { list = [], version = 0 } = settings.init.hooks ?? {};
  if (if_version && !if_version.includes(version)) {
    const detail = `the hooks are at version ${version}`;
    return refuse("version_mismatch", detail, { extensions: { version } });
  }
  if (!isSameJson(list, hooks)) settings.update({ hooks });
  await session.sync();
  return readHooks(session);
}

export const HOOK_ACTS = {
  readHooks: act<void, SessionHooks>({ run: readHooks }),

  /** Replaces the session's own hooks. An open reply keeps those that it began with. */
  writeHooks: act<HooksWrite, SessionHooks>({ run: writeHooks }),
} as const;
