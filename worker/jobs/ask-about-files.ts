// Asks sessions whether their logs name files that tools and models have made (`storage/files/made-files.ts`).
import {
  findUnconfirmed,
  settleUnconfirmed,
  type UnconfirmedFile,
} from "../../storage/files/made-files.ts";
import { sessionStub } from "../objects/session-stub.ts";

type AskBindings = Pick<Env, "DB" | "SESSION">;

/** @returns how many files were asked about. @throws when D1 fails. */
export async function askAboutFiles(env: AskBindings, nowMs: number): Promise<number> {
  const files = await findUnconfirmed(env.DB, nowMs);
  for (const file of files) {
    // One after the other: each may wake an object.
    await settleUnconfirmed(env.DB, file, await ask(env, file), nowMs);
  }
  return files.length;
}

/** A file without any reference is named by no session. One session that cannot say is enough to wait. */
async function ask(
  env: AskBindings,
  { id, tenant_id, session_ids }: UnconfirmedFile,
): Promise<"named" | "unnamed" | "unknown"> {
  const answers = await Promise.all(
    session_ids.map(async (sessionId) => {
      try {
        const found = await sessionStub(env, tenant_id, sessionId).act("findNamedFiles", [id]);
        return found.ok ? found.value.includes(id) : null;
      } catch (error) {
        console.warn("sweep: a session could not say which files it names", {
          session_id: sessionId,
          error: String(error),
        });
        return null;
      }
    }),
  );
  if (answers.includes(true)) return "named";
  return answers.includes(null) ? "unknown" : "unnamed";
}
