// A machine that dies before and after each thing that it asks of D1 and R2 while a version of a skill is written.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { Skill, SkillVersion } from "../../../protocol/skills/contract.ts";
import { UPLOAD_ABANDONED_MS } from "../../../protocol/files/limits.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import { hearLog } from "../../support/hear-log.ts";
import { listKeys } from "../files/files.ts";
import { ask, makeTenant, send, type Call } from "../support/api.ts";
import { skillFolder } from "../support/skill-folder.ts";
import { BROAD } from "../../support/breadth.ts";

type When = "before" | "after";

/**
 * Bindings whose calls of D1 and of R2 are noted by name, in order; after so many of these calls nothing is answered
 * any more.
 */
function mortal(calls: number, when: When): { bindings: Env; asked: string[] } {
  const asked: string[] = [];
  function watch<Binding extends object>(binding: Binding, names: readonly string[]): Binding {
    return new Proxy(binding, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== "function") return member;
        if (!names.includes(String(name))) return (member as () => unknown).bind(target);
        return async (...values: unknown[]) => {
          asked.push(String(name));
          const isLast = asked.length === calls + 1;
          if (asked.length > calls + 1 || (isLast && when === "before")) throw dead();
          const answer: unknown = await Reflect.apply(member, target, values);
          if (isLast) throw dead();
          return answer;
        };
      },
    });
  }
  const statements = watch(env.DB, ["batch"]);
  const DB = new Proxy(statements, {
    get(target, name) {
      const member = Reflect.get(target, name) as unknown;
      if (name !== "prepare" || asked.length <= calls) return member;
      return () => {
        throw dead();
      };
    },
  });
  return { bindings: { ...env, DB, FILES: watch(env.FILES, ["put", "delete"]) }, asked };
}

function dead(): Error {
  return new Error("the machine has stopped");
}

async function sweepLater(): Promise<void> {
  const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + UPLOAD_ABANDONED_MS + 1);
  try {
    await sweep(env, { kind: "walk", after: "" });
  } finally {
    clock.mockRestore();
  }
}

/** The tenant's skills as a reader sees them: the numbers of versions, each of which can be read whole. */
async function readVersions(call: Call): Promise<readonly (readonly number[])[]> {
  const skills = (await ask<Page<Skill>>("GET", "/v1/skills", call)).json.data;
  return Promise.all(
    skills.map(async ({ id, version }) => {
      const { json } = await ask<Page<SkillVersion>>("GET", `/v1/skills/${id}/versions`, call);
      const numbers = json.data.map((one) => one.version);
      expect(numbers[0]).toBe(version);
      for (const number of numbers) {
        const path = `/v1/skills/${id}/versions/${number}/content?path=SKILL.md`;
        const content = await send("GET", path, call);
        expect([content.status, (await content.text()).slice(0, 3)]).toEqual([200, "---"]);
      }
      return numbers;
    }),
  );
}

const WRITES = ["batch", "put", "batch"];

/** Log lines of a machine that may not write any more. */
const OF_BOTH = [
  "Error: the machine has stopped",
  "files: R2 failed",
  "skills: an upload was not given up; the sweep will",
];
const LAST_WORDS = {
  create: [...OF_BOTH, "API key: failed to record the last use"],
  addVersion: OF_BOTH,
};

test.each(["create", "addVersion"] as const)(
  "%s leaves the whole version or nothing that is seen, and no bytes without one",
  BROAD,
  async (act) => {
    const log = hearLog();
    for (const when of ["before", "after"] as const) {
      for (let calls = 0; calls <= WRITES.length; calls += 1) {
        const { id, call } = await makeTenant();
        const made = act === "create" ? null : await create(call);
        const before = made ? [[1]] : [];
        const { bindings, asked } = mortal(calls, when);

        const { status } = await create({ ...call, bindings }, made);

        const isDone = calls === WRITES.length;
        const isWritten = isDone || (calls === WRITES.length - 1 && when === "after");
        const versions = isWritten ? (made ? [[2, 1]] : [[1]]) : before;
        expect([when, calls, status < 300]).toEqual([when, calls, isDone]);
        expect(asked.slice(0, calls + 1)).toEqual(WRITES.slice(0, calls + 1));
        expect(await readVersions(call)).toEqual(versions);
        await sweepLater();
        expect(await readVersions(call)).toEqual(versions);
        expect(await listKeys(id)).toHaveLength(versions.flat().length);
        const rows = await env.DB.prepare("SELECT status FROM files WHERE tenant_id = ?")
          .bind(id)
          .all<{ status: string }>();
        expect(rows.results.map((row) => row.status)).toEqual(versions.flat().map(() => "skill"));
      }
    }
    expect(new Set(log.map(wordsOf))).toEqual(new Set(LAST_WORDS[act]));
  },
);

function wordsOf(said: unknown): unknown {
  return typeof said === "string" ? said : (said as { stack: string }).stack.split("\n")[0];
}

test("a deletion whose machine dies is finished by the sweep", async () => {
  const log = hearLog();
  const { id, call } = await makeTenant();
  const skill = await create(call);
  const { bindings } = mortal(1, "before");

  const deleted = await ask("DELETE", `/v1/skills/${skill.json.id}`, { ...call, bindings });

  expect([deleted.status, (await listKeys(id)).length]).toEqual([204, 1]);
  expect(await readVersions(call)).toEqual([]);
  await sweepLater();
  expect(await listKeys(id)).toEqual([]);
  expect(log).toEqual(["deleting the files of a skill failed"]);
});

function create(call: Call, made: { json: Skill } | null = null) {
  const path = made ? `/v1/skills/${made.json.id}/versions` : "/v1/skills";
  return ask<Skill>("POST", path, { ...call, json: skillFolder() });
}
