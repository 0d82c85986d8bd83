// Numbers of what a session or a tenant has, as the API lists it.
import type { Page } from "../../../protocol/schemas/common.ts";
import { ask, type Call } from "./api.ts";

export async function countListed(path: string, call: Call): Promise<number> {
  return (await ask<Page<unknown>>("GET", path, call)).json.data.length;
}

/** @param path Of the session. @param type Of the events; the name of a `CUSTOM` one. */
export async function countEvents(path: string, call: Call, type: string): Promise<number> {
  const { json } = await ask<Page<{ type: string; name?: string }>>(
    "GET",
    `${path}/events?limit=100`,
    call,
  );
  return json.data.filter((event) => event.type === type || event.name === type).length;
}
