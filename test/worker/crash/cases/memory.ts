// A memory that a call of the model's records: in the store of the session's end user once, in one version.
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import { memoryObjectName, type MemoryApi } from "../../../../durable-objects/api/memory-api.ts";
import type { SessionInit } from "../../../../durable-objects/api/session-api.ts";
import { memoryStoreId } from "../../../../storage/memory/store-id.ts";
import { RECORDED_MEMORY } from "../feature-scenarios.ts";
import type { CrashCase } from "../survive.ts";

export const MEMORY_CASES: readonly CrashCase[] = [
  {
    scenario: RECORDED_MEMORY,
    claim:
      "the memory is there once, and the call has its result, whichever write is cut off by %s",
    async verify({ session }) {
      const [row] = await session.rows<{ init: string }>("SELECT init FROM session");
      const { tenant_id, agent_id, end_user_id } = JSON.parse(row?.init ?? "{}") as SessionInit;
      const owner = { tenant_id, agent_id, end_user_id };
      const name = memoryObjectName(tenant_id, await memoryStoreId(env, owner));
      const store = env.MEMORY.getByName(name) as unknown as MemoryApi;
      const { data } = await store.listVersions({ limit: 10 });
      expect(data.map(({ content, version }) => [content, version])).toEqual([
        ["The user has a dog.", 1],
      ]);
      const { message } = await session.readReply();
      const results = message?.content.filter(({ type }) => type === "tool_result") ?? [];
      expect(results.map((one) => "state" in one && one.state)).toEqual(["success"]);
    },
  },
];
