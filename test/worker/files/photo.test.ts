// A phone's photo, from the side of storage: what the object's rows hold of it. Over HTTP it is in
// `test/conformance/files/files.test.ts`.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { ask, makeTenant, openSession } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import { block, listKeys, upload, withBytes } from "./files.ts";

const PHOTO = withBytes("\xff\xd8\xff\xe0", 8_000_000);
/** The tables of an object that hold content, with their size in bytes. */
const SIZES = [
  "SELECT length(frames) AS bytes FROM events",
  "SELECT length(body) AS bytes FROM messages",
  "SELECT length(bytes) AS bytes FROM parts",
];

test("a photo of 8 MB that a client token brings leaves rows of less than 4 KB, and nothing after its session", async () => {
  const { tenantId, call, session, path, agent } = await openSession();
  const token = await mintCall(path, call, { verbs: ["upload", "reply", "read"] });
  const { json: file } = await upload(token, PHOTO, { query: "?filename=IMG_1.jpg" });

  const input = [block({ type: "url", url: file.url })];
  const { json: reply } = await ask<Reply>("POST", `${path}/replies`, {
    ...token,
    json: { input },
  });

  expect([file.bytes, file.media_type, reply.status]).toEqual([
    8_000_000,
    "image/jpeg",
    "completed",
  ]);
  const name = sessionObjectName(tenantId, session.id);
  const sizes = await runInDurableObject(env.SESSION.getByName(name), (_, { storage }) =>
    SIZES.map((query) =>
      storage.sql
        .exec(query)
        .toArray()
        .map(({ bytes }) => Number(bytes)),
    ),
  );
  expect(sizes.map((table) => table.length > 0)).toEqual([true, true, false]);
  expect(Math.max(...sizes.flat())).toBeLessThan(4_096);

  const { json: other } = await ask<{ id: string }>("POST", "/v1/sessions", {
    ...call,
    json: { agent_id: agent.id },
  });
  const strangers = [
    await mintCall(`/v1/sessions/${other.id}`, call, { verbs: ["upload", "reply", "read"] }),
    (await makeTenant()).call,
  ];
  for (const stranger of strangers) {
    const places = ["", "/content"].map((part) => `/v1/files/${file.id}${part}`);
    for (const place of places) expect((await ask("GET", place, stranger)).status).toBe(404);
  }

  await ask("DELETE", path, call);
  await sweep(env, { kind: "walk", after: "" });
  expect(await listKeys(tenantId)).toEqual([]);
});
