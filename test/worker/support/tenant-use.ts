// A tenant's limits as the operator sets them, and their use.
import { vi, onTestFinished } from "vitest";

import type { TenantLimits } from "../../../protocol/quotas/contract.ts";
import { ask, OPERATOR, type Call } from "./api.ts";

/** The operator's change of a tenant. */
export async function changeTenant(tenantId: string, json: object) {
  return ask("PATCH", `/v1/tenants/${tenantId}`, { ...OPERATOR, json });
}

export async function readLimits(call: Call): Promise<TenantLimits> {
  return (await ask<TenantLimits>("GET", "/v1/limits", call)).json;
}

/** A read-only http tool whose calls hang until the test ends, and how many of them do. */
export function hangingTool() {
  const fetching = vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => {}));
  onTestFinished(() => fetching.mockRestore());
  const tool = { type: "http", name: "look", url: "https://tools.example/look", read_only: true };
  return { tool, calls: () => fetching.mock.calls.length };
}

/** A script that calls it. */
export const HANG = "/call look {}\n/say done";
