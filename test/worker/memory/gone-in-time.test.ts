import { expect, test } from "vitest";

import type { MemoryStore } from "../../../agent/memory-store.ts";
import { goneInTime } from "../../../durable-objects/settings/reply-memory.ts";
import { MAX_ASKED_MEMORIES } from "../../../protocol/memory/limits.ts";

test("asks about all memories of a context, in questions of a bounded size", async () => {
  const ids = Array.from({ length: 2 * MAX_ASKED_MEMORIES + 1 }, (_, index) => `mem_${index}`);
  const sizes: number[] = [];
  const store: Pick<MemoryStore, "gone"> = {
    gone: async (asked) => {
      sizes.push(asked.length);
      return { ok: true, value: asked.slice(0, 1) };
    },
  };

  const gone = await goneInTime(store as MemoryStore, ids);

  expect(sizes).toEqual([MAX_ASKED_MEMORIES, MAX_ASKED_MEMORIES, 1]);
  expect(gone).toEqual(["mem_0", `mem_${MAX_ASKED_MEMORIES}`, `mem_${2 * MAX_ASKED_MEMORIES}`]);
  expect(await goneInTime(store as MemoryStore, [])).toEqual([]);
});
