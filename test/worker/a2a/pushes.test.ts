// Notifications of clients of A2A: of what, in which order, with which secrets, and until when.
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";

import { A2A_PUSH_RETRY_MS, MAX_A2A_PUSH_CONFIGS } from "../../../protocol/a2a/limits.ts";
import {
  createPushConfig,
  deletePushConfig,
  listPushConfigs,
  readPushConfig,
} from "../../../worker/a2a/push-configs.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { ask, makeTenant } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { receivedAt, receiverPath } from "../webhooks/endpoint.ts";
import { receivedPushes, taskDesk, told } from "./task-desk.ts";

beforeEach(() => void hearLog());

const WORKING = "TASK_STATE_WORKING";
const WAITING = "TASK_STATE_INPUT_REQUIRED";
const COMPLETED = "TASK_STATE_COMPLETED";
const PRINTED = [{ text: "Printed." }];

const SECRETS = {
  token: "task-token-1",
  authentication: { scheme: "Bearer", credentials: "receiver-secret" },
};

describe("a receiver", () => {
  test("is told each status and each finished artifact once, in order, with its config's secrets", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const { url } = await desk.tell(id, "200", SECRETS);

    await desk.answer(id);

    const pushes = await receivedPushes(url, 3);
    expect(pushes.map(told)).toEqual([WORKING, PRINTED, COMPLETED]);
    const [{ headers, body } = {}, artifact] = pushes;
    expect([
      headers?.["content-type"],
      headers?.["authorization"],
      headers?.["x-a2a-notification-token"],
      headers?.["webhook-id"],
    ]).toEqual(["application/a2a+json", "Bearer receiver-secret", "task-token-1", `${id}-1`]);
    expect(body).toEqual({
      statusUpdate: {
        taskId: id,
        contextId: desk.session_id,
        status: { state: WORKING, timestamp: expect.any(String) },
      },
    });
    expect(artifact?.body.artifactUpdate).toEqual({
      taskId: id,
      contextId: desk.session_id,
      artifact: { artifactId: expect.any(String), parts: PRINTED },
      append: false,
      lastChunk: true,
    });
  });

  test("is told what has happened before, where its config came with the message", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const url = inject("webhookReceiverUrl") + receiverPath();
    await createPushConfig(env, desk.place(id), { url }, { since_start: true });

    const [push] = await receivedPushes(url, 1);

    const { status } = push!.body.statusUpdate!;
    expect([status.state, JSON.stringify(status.message)]).toEqual([
      WAITING,
      expect.stringContaining("print_label"),
    ]);
  });

  test("is told once, however often the message with its config is sent", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const { act } = desk;
    await act.act("interrupt", {});
    await act.act("readReply", { reply_id: id, wait_ms: 60_000 });
    const url = inject("webhookReceiverUrl") + receiverPath("hang");
    const config = { id: "mine", url };

    for (let sent = 0; sent < 3; sent += 1) {
      await createPushConfig(env, desk.place(id), config, { since_start: true });
    }

    expect(await desk.rows("SELECT status FROM a2a_pushes")).toEqual([{ status: "interrupted" }]);
  });

  test("that hangs holds up no other one, and one place of its tenant", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const hanging = await desk.tell(id, "hang");
    const { url } = await desk.tell(id);

    await desk.answer(id);

    expect((await receivedPushes(url, 3)).map(told)).toEqual([WORKING, PRINTED, COMPLETED]);
    const held = await env.DB.prepare(
      "SELECT count(*) AS leases FROM webhook_leases WHERE tenant_id = ?",
    )
      .bind(desk.tenant_id)
      .first<number>("leases");
    expect([held, (await receivedPushes(hanging.url, 1)).map(told)]).toEqual([1, [WORKING]]);
  });

  test("that refuses is asked again, with the same id, before it is told anything else", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const { url } = await desk.tell(id, "503,200");
    await desk.answer(id);
    await receivedPushes(url, 1);
    await waitUntil(async () => {
      const [config] = await desk.rows("SELECT retry_at FROM a2a_push_configs");
      return config?.["retry_at"] === null ? undefined : true;
    });

    await desk.letTimePass();

    const pushes = await receivedPushes(url, 4);
    expect(pushes.map(told)).toEqual([WORKING, WORKING, PRINTED, COMPLETED]);
    expect(pushes.map(({ headers }) => headers["webhook-id"])).toEqual([
      `${id}-1`,
      `${id}-1`,
      `${id}-2`,
      `${id}-3`,
    ]);
  });

  test("that refuses each time is given up with all that waits for it", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const { url } = await desk.tell(id, "500");
    await desk.answer(id);
    const attempts = A2A_PUSH_RETRY_MS.length + 1;

    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      await receivedPushes(url, attempt);
      await waitUntil(async () => {
        const [config] = await desk.rows("SELECT retry_at, due_at FROM a2a_push_configs");
        const isOver = config?.["due_at"] === null;
        return config?.["retry_at"] !== null || isOver ? true : undefined;
      });
      await desk.letTimePass();
    }

    expect((await receivedAt(url)).length).toBe(attempts);
    expect(await desk.rows("SELECT 1 FROM a2a_pushes WHERE is_over = 0")).toEqual([]);
  });

  test("that redirects is not followed", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const before = await receivedAt(`${inject("webhookReceiverUrl")}/elsewhere/200`);
    const { url } = await desk.tell(id, "302");

    await desk.answer(id);

    await receivedPushes(url, 1);
    const after = await receivedAt(`${inject("webhookReceiverUrl")}/elsewhere/200`);
    expect(after.length).toBe(before.length);
  });

  test("that is gone for good is told nothing more: its config is deleted", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const { url, config } = await desk.tell(id, "410");

    await desk.answer(id);

    await receivedPushes(url, 1);
    await waitUntil(async () => {
      const found = await readPushConfig(env, desk.place(id), config.id!);
      return found.ok ? undefined : true;
    });
    expect((await receivedAt(url)).length).toBe(1);
  });

  test("of a tenant that is suspended is told when the tenant goes on", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const url = inject("webhookReceiverUrl") + receiverPath();
    await changeTenant(desk.tenant_id, { status: "suspended" });
    await createPushConfig(env, desk.place(id), { url }, { since_start: true });
    await waitUntil(async () => {
      const [config] = await desk.rows("SELECT jobs FROM a2a_push_configs");
      return config?.["jobs"] === 0 ? undefined : true;
    });
    const suspended = await receivedAt(url);

    await changeTenant(desk.tenant_id, { status: "active" });
    await desk.letTimePass();

    expect([suspended, (await receivedPushes(url, 1)).map(told)]).toEqual([[], [WAITING]]);
  });

  test("is told nothing of a session that is deleted", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const { url } = await desk.tell(id, "500");
    await desk.answer(id);
    await receivedPushes(url, 1);

    await ask("DELETE", desk.path, desk.call);
    await runDurableObjectAlarm(desk.object());

    const job = { kind: "a2a_push", ...desk.place(id), config_id: "x" } as const;
    await env.WEBHOOK_QUEUE.send(job);
    expect((await listPushConfigs(env, desk.place(id))).ok).toBe(false);
    expect((await receivedAt(url)).length).toBe(1);
  });

  test("is told nothing more when its config is deleted, however often that is asked for", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const { url, config } = await desk.tell(id);
    const { url: other } = await desk.tell(id);

    const deleted = [
      await deletePushConfig(env, desk.place(id), config.id!),
      await deletePushConfig(env, desk.place(id), config.id!),
    ];
    await desk.answer(id);

    await receivedPushes(other, 3);
    expect([deleted.map(({ ok }) => ok), await receivedAt(url)]).toEqual([[true, true], []]);
  });
});

describe("a config", () => {
  test("is shown without its secrets, which are stored sealed", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const { url, config } = await desk.tell(id, "200", { id: "mine: 1 é", ...SECRETS });

    const read = await readPushConfig(env, desk.place(id), "mine: 1 é");
    const listed = await listPushConfigs(env, desk.place(id));

    const shown = { id: "mine: 1 é", taskId: id, url, authentication: { scheme: "Bearer" } };
    expect([config, read, listed]).toEqual([
      shown,
      { ok: true, value: shown },
      { ok: true, value: [shown] },
    ]);
    const stored = JSON.stringify(await desk.rows("SELECT * FROM a2a_push_configs"));
    expect([/receiver-secret|task-token/.test(stored), stored.includes('"v1.')]).toEqual([
      false,
      true,
    ]);
  });

  test("is one of ten of its task; one with a known id takes the place of that", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    for (let made = 0; made < MAX_A2A_PUSH_CONFIGS; made += 1)
      await desk.tell(id, "200", { id: `c${made}` });
    const url = inject("webhookReceiverUrl") + receiverPath();

    const replaced = await createPushConfig(env, desk.place(id), { id: "c0", url });
    const refused = await createPushConfig(env, desk.place(id), { url });

    expect([replaced.ok, !refused.ok && refused.refusal.code]).toEqual([true, "conflict"]);
    const listed = await listPushConfigs(env, desk.place(id));
    expect(listed.ok && listed.value.length).toBe(MAX_A2A_PUSH_CONFIGS);
  });

  test.each([
    ["a private address", { url: "https://10.0.0.8/hook" }],
    ["the metadata of a cloud", { url: "https://169.254.169.254/latest" }],
    ["no address", { url: "tomorrow" }],
    ["a user in its address", { url: "https://ann:pw@shop.example/" }],
    ["a scheme with a line break", { authentication: { scheme: "Bearer\r\nX-Admin: 1" } }],
    [
      "credentials with a line break",
      { authentication: { scheme: "Bearer", credentials: "a\nb" } },
    ],
    ["a token with a line break", { token: "a\r\nX-Admin: 1" }],
    ["an id beyond its bound", { id: "x".repeat(257) }],
    ["a token beyond its bound", { token: "x".repeat(8_193) }],
  ])("with %s is refused", async (_, config) => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();

    const made = await createPushConfig(env, desk.place(id), {
      url: "https://shop.example/hook",
      ...config,
    });

    expect([!made.ok && made.refusal.code, await listPushConfigs(env, desk.place(id))]).toEqual([
      "validation_failed",
      { ok: true, value: [] },
    ]);
  });

  test("is not found of a reply that is no task, of another tenant's, and of none", async () => {
    const desk = await taskDesk();
    const id = await desk.beginWaiting();
    const stranger = await makeTenant();
    const other = await desk.open();
    const { json: reply } = await ask<{ id: string }>("POST", `/v1/sessions/${other.id}/replies`, {
      ...desk.call,
      json: { input: "hello" },
    });
    const places = [
      { ...desk.place(reply.id), session_id: other.id },
      { ...desk.place(id), tenant_id: stranger.id },
      desk.place(`rep_${"0".repeat(26)}`),
    ];

    const codes = await Promise.all(
      places.map(async (place) => {
        const url = "https://shop.example/hook";
        const answers = [
          await createPushConfig(env, place, { url }),
          await readPushConfig(env, place, "c"),
          await listPushConfigs(env, place),
          await deletePushConfig(env, place, "c"),
        ];
        return answers.map((answer) => (answer.ok ? "ok" : answer.refusal.code));
      }),
    );

    expect(codes).toEqual(places.map(() => ["not_found", "not_found", "not_found", "not_found"]));
  });
});
