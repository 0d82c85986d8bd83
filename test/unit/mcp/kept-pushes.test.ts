// Looks at a task that its agent asks for: once for all that it posts, bounded, and none of them lost.
import { expect, test } from "vitest";

import {
  heardOf,
  keepTask,
  pushedFor,
  withPushes,
  type KeptTask,
} from "../../../agent/mcp/kept-task.ts";
import {
  MAX_REMOTE_PUSHED_POLL_MS,
  REMOTE_PUSH_LOOK_MS,
  REMOTE_PUSHED_POLL_MS,
} from "../../../protocol/a2a/client-limits.ts";

const NOW = 1_800_000_000_000;
const READ = { id: "t", status: "working", message: null, ttlMs: null, pollMs: 1_000 } as const;
const ORIGIN = { server_id: "play", server: "Agent", session_id: null };

function kept(config_id: string | null = "c", look_at = 0): KeptTask {
  return { ...keepTask(READ, ORIGIN, NOW), push: { id: "p", config_id, look_at } };
}

test("what is posted asks for a look at once, and what is posted until then for none", () => {
  const first = pushedFor(kept(), NOW);
  const second = pushedFor(first!, NOW + 1);

  expect(first?.push?.look_at).toBe(NOW);
  expect(second?.push?.look_at).toBe(NOW + REMOTE_PUSH_LOOK_MS);
  expect(pushedFor(second!, NOW + 2)).toBeNull();
  expect(pushedFor(second!, NOW + 3_600_000)?.push?.look_at).toBe(NOW + 3_600_000);
  expect(pushedFor(keepTask(READ, ORIGIN, NOW), NOW)).toBeNull();
});

test("a thousand posts in ten seconds ask for eleven looks at most", () => {
  const looks = new Set<number>();
  let task = kept();
  for (let ms = 0; ms < 10_000; ms += 10) {
    task = pushedFor(task, NOW + ms) ?? task;
    looks.add(task.push!.look_at);
  }

  expect(looks.size).toBeLessThanOrEqual(11);
});

test("a look that was asked for while another one was made is made all the same", () => {
  const before = kept("c", NOW);
  const looked = heardOf(before, READ, NOW + 500);
  const meanwhile = pushedFor(before, NOW + 200);

  expect(withPushes(looked, before, NOW)).toEqual(looked);
  expect(withPushes(looked, meanwhile, NOW)).toEqual({
    ...looked,
    push: meanwhile?.push,
    poll_at: NOW + REMOTE_PUSH_LOOK_MS,
  });
  expect(withPushes(looked, null, NOW)).toEqual(looked);
});

test("a look that was still to come when another one began is made all the same", () => {
  const asked = pushedFor(kept("c", NOW), NOW + 200)!;
  const looked = heardOf(asked, READ, NOW + 600);

  expect(withPushes(looked, asked, NOW + 500).poll_at).toBe(NOW + REMOTE_PUSH_LOOK_MS);
  expect(withPushes(looked, asked, NOW + REMOTE_PUSH_LOOK_MS)).toEqual(looked);
});

test("a task whose agent has taken an address is looked at less often, and always again", () => {
  const waits = [0, 3_600_000].map((ageMs) => {
    return heardOf(kept(), READ, NOW + ageMs).poll_at - NOW - ageMs;
  });

  expect(waits).toEqual([REMOTE_PUSHED_POLL_MS, 180_000]);
  expect(heardOf(kept(), READ, NOW + 43_200_000).poll_at - NOW - 43_200_000).toBe(
    MAX_REMOTE_PUSHED_POLL_MS,
  );
  expect(heardOf(kept(null), READ, NOW).poll_at - NOW).toBe(1_000);
});
