// The part of a body that is read, and the time of reading.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { CreatedInboundEndpoint } from "../../../protocol/inbound/contract.ts";
import { BODY_BYTES, ROUTES, type Route } from "../../../protocol/routes.ts";
import { app } from "../../../worker/app.ts";
import { ask, makeTenant, openSession } from "../support/api.ts";

const PIECE_BYTES = 50_000;
const rows: readonly Route[] = ROUTES;
const JSON_TYPE = { "Content-Type": "application/json" };

/** A body without an end, and how much of it was asked for. */
function endless() {
  let pieces = 0;
  // Of bytes, as the bodies of requests are.
  const body = new ReadableStream(
    {
      type: "bytes",
      pull(controller) {
        pieces += 1;
        controller.enqueue(new Uint8Array(PIECE_BYTES).fill(0x20));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, readBytes: () => pieces * PIECE_BYTES };
}

async function send(method: string, path: string, request: RequestInit) {
  const response = await app.request(path, { method, ...request }, env);
  const { code } = (await response.json()) as { code: string };
  return { status: response.status, code, headers: response.headers };
}

function pathOf(route: Route): string {
  const zeros = "0".repeat(26);
  return route.path
    .replace("{session_id}", `ses_${zeros}`)
    .replace("{agent_id}", `agt_${zeros}`)
    .replace("{callback_token}", "cb_made.up")
    .replace("{inbound_endpoint_id}", `whi_${zeros}`);
}

describe("a body", () => {
  test.each(rows.filter(({ body }) => body === "media").map((route) => [route.name, route]))(
    "of %s is not read of whom nobody knows",
    async (_, route) => {
      const credentials: readonly Record<string, string>[] = [
        {},
        { Authorization: "Bearer rt_made.up" },
      ];
      for (const credential of credentials) {
        const { body, readBytes } = endless();

        const answer = await send(route.method, pathOf(route), {
          headers: { ...JSON_TYPE, ...credential },
          body,
        });

        expect([answer.code, readBytes()]).toEqual(["unauthenticated", 0]);
      }
    },
  );

  test("is read up to what its route takes, whatever was announced", async () => {
    const { call, path } = await openSession();
    const read = async (method: string, address: string, headers: object = {}) => {
      const { body, readBytes } = endless();
      const authorization = { Authorization: `Bearer ${call.key}` };
      const request = { headers: { ...JSON_TYPE, ...authorization, ...headers }, body };
      const { status, code } = await send(method, address, request);
      return { status, code, bytes: readBytes() };
    };
    const refused = { status: 413, code: "body_too_large" };
    const piece = PIECE_BYTES;

    expect([
      await read("POST", "/v1/credentials"),
      await read("POST", "/v1/agents", { "Content-Length": "2" }),
      await read("POST", `${path}/replies`),
      await read("POST", `${path}/replies`, { "Content-Length": "8000001" }),
    ]).toEqual([
      { ...refused, bytes: 2 * piece },
      { ...refused, bytes: BODY_BYTES.json + piece },
      { ...refused, bytes: BODY_BYTES.media + piece },
      { ...refused, bytes: 0 },
    ]);
  });

  test("of a webhook is read up to a million bytes, for endpoints that there are and are not", async () => {
    const { call } = await makeTenant();
    const made = { ...call, json: { name: "Till" } };
    const { json } = await ask<CreatedInboundEndpoint>("POST", "/v1/inbound-endpoints", made);
    const headers = {
      ...JSON_TYPE,
      "webhook-id": "msg_1",
      "webhook-timestamp": "1795262400",
      "webhook-signature": "v1,AAAA",
    };

    const answers = [];
    for (const id of [json.id, `whi_${"0".repeat(26)}`]) {
      const { body, readBytes } = endless();
      const { status, code } = await send("POST", `/v1/inbound/${id}`, { headers, body });
      answers.push({ status, code, bytes: readBytes() });
    }
    const unsigned = endless();
    await send("POST", `/v1/inbound/${json.id}`, { headers: JSON_TYPE, body: unsigned.body });

    const refused = { status: 413, code: "body_too_large", bytes: 1_000_000 + PIECE_BYTES };
    expect(answers).toEqual([refused, refused]);
    expect(unsigned.readBytes()).toBe(0);
  });

  test("that is compressed is not unpacked", async () => {
    const { call } = await makeTenant();
    const { body, readBytes } = endless();
    const headers = {
      ...JSON_TYPE,
      Authorization: `Bearer ${call.key}`,
      "Content-Encoding": "gzip",
    };

    const answer = await send("POST", "/v1/agents", { headers, body });

    expect([answer.status, answer.code, answer.headers.get("Accept-Encoding")]).toEqual([
      415,
      "unsupported_media_type",
      "identity",
    ]);
    expect(readBytes()).toBe(0);
  });
});

describe("a credential", () => {
  test("that is longer than any is refused unread", async () => {
    const long = "x".repeat(8_193);

    for (const token of [`rt_${long}`, `rk_live_${long}`, long]) {
      const { status, json } = await ask("GET", "/v1/agents", { key: token });

      expect([status, json.detail]).toEqual([401, "a credential has 8192 characters at most"]);
    }
  });
});
