import type { SignInEnd } from "../../agent/sign-in/end-sign-in.ts";
import { connectionStorage, type WaitingSessions } from "../../storage/mcp/connection-storage.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { sessionStub } from "../objects/session-stub.ts";

/**
 * Tells the sessions that wait for a sign-in. One that could not be told stays listed, for the next time; its calls end
 * at the latest when their time is over.
 */
export async function tellSessions(
  env: Pick<Env, "SESSION" | "DB">,
  tenantId: string,
  connection_id: string,
  end: SignInEnd,
): Promise<void> {
  const storage = connectionStorage(openDatabase(env.DB), tenantId);
  const ids = await storage.waiting(connection_id);
  await storage.told(connection_id, await tellEach(env, tenantId, { connection_id, end, ids }));
}

/** For connections that were removed: their calls find out what is missing now. @param waiting As before the removal. */
export async function tellOfRemoval(
  env: Pick<Env, "SESSION">,
  tenantId: string,
  waiting: readonly WaitingSessions[],
): Promise<void> {
  await Promise.all(
    waiting.map(({ connection_id, ids }) =>
      tellEach(env, tenantId, { connection_id, end: "again", ids }),
    ),
  );
}

async function tellEach(
  env: Pick<Env, "SESSION">,
  tenantId: string,
  { connection_id, end, ids }: WaitingSessions & { readonly end: SignInEnd },
): Promise<readonly string[]> {
  const told = await Promise.all(
    ids.map(async (sessionId) => {
      try {
        await sessionStub(env, tenantId, sessionId).act("endSignIn", { connection_id, end });
        return [sessionId];
      } catch (error) {
        console.warn("a session was not told of a sign-in", { error: String(error) });
        return [];
      }
    }),
  );
  return told.flat();
}
