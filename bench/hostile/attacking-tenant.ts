// The attacking tenant, a client of the public API.
import { request } from "node:http";

import { CONNECTIONS } from "../clients/connections.ts";
import { openTenant } from "../own-tenant.ts";
import type { Reprise, RepriseTenant } from "../peers/reprise.ts";
import { readString } from "../../scripts/local-api.ts";

/** Milliseconds after which an attack counts as never ending. */
const PATIENCE_MS = 100_000;

export interface AttackingTenant extends RepriseTenant {
  /** @param fields Overrides of the agent, which uses the scripted model. @returns the session's path. */
  openSession(fields?: object): Promise<string>;
  /** Sends a prepared body and reads the complete response of any status. */
  send(
    method: "POST" | "PATCH" | "GET" | "PUT",
    path: string,
    body?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<number>;
}

export async function openAttackingTenant(reprise: Reprise): Promise<AttackingTenant> {
  const tenant = await openTenant(reprise);
  return {
    ...tenant,
    async openSession(fields = {}) {
      const definition = { name: "Hostile", model: { provider: "scripted" }, ...fields };
      const agent_id = readString(await tenant.api.call("POST", "/v1/agents", definition), "id");
      const session = await tenant.api.call("POST", "/v1/sessions", { agent_id });
      return `/v1/sessions/${readString(session, "id")}`;
    },
    send: (method, path, body = "", more = {}) =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${tenant.key}`,
          "content-type": "application/json",
          accept: "application/json",
          ...more,
        };
        const options = { agent: CONNECTIONS, method, headers, timeout: PATIENCE_MS };
        const sent = request(`${reprise.baseUrl}${path}`, options, (response) => {
          response.resume();
          response.once("error", reject);
          response.once("end", () => resolve(response.statusCode ?? 0));
        });
        sent.once("timeout", () => sent.destroy(new Error(`${path}: the attack does not end`)));
        sent.once("error", reject);
        sent.end(body);
      }),
  };
}
