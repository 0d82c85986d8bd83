// Single values of D1, for tests that count what was stored.
import { env } from "cloudflare:workers";

export async function countRows(query: string, value: string): Promise<number> {
  return (await env.DB.prepare(query).bind(value).first<number>("found")) ?? 0;
}

export async function cell(query: string, id: string): Promise<string | null> {
  return env.DB.prepare(query).bind(id).first<string>("value");
}
