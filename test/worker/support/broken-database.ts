// The front door with a D1 that is out of reach; objects keep theirs.
import { env } from "cloudflare:workers";

import type { Problem } from "../../../protocol/problem.ts";
import { app } from "../../../worker/app.ts";
import type { Call } from "./api.ts";

/**
 * Calls that hide a session whose deletion begins: its room, its entry of the audit, the row, those of sessions that it has
 * called, and the batch of all.
 */
export const CALLS_THAT_HIDE = 5;

/** D1 as it fails when it is out of reach, from the first call or after some that went well. */
export function brokenDatabase(callsThatWork = 0): D1Database {
  let calls = 0;
  return new Proxy(env.DB, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        calls += 1;
        if (calls > callsThatWork) throw new Error("D1_ERROR: Network connection lost.");
        return Reflect.apply(member, target, values) as unknown;
      };
    },
  });
}

/** Asks the app while its own D1 is down; objects keep theirs. */
export async function askDown(
  method: string,
  path: string,
  call: Call & { readonly database?: D1Database } = {},
) {
  const headers = { Authorization: `Bearer ${call.key}`, "Content-Type": "application/json" };
  const body = call.json === undefined ? undefined : JSON.stringify(call.json);
  const DB = call.database ?? brokenDatabase();
  const response = await app.request(path, { method, headers, body }, { ...env, DB });
  const text = await response.text();
  const json = JSON.parse(text.startsWith("{") ? text : "{}") as Problem;
  return { status: response.status, headers: response.headers, json };
}
