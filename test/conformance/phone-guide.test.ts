// The requests of the Swift and Kotlin samples, replayed: neither language is installed here, so that the samples
// themselves are not compiled.
import { readFileSync } from "node:fs";

import { expect, inject, test } from "vitest";

import { BROAD } from "../support/breadth.ts";
import { refundDeskAgent } from "../../scripts/refund-desk-agent.ts";
import { createTenant, request } from "../support/platform-client.ts";
import { readSnippets } from "../support/read-snippets.ts";

const PAGE = readFileSync("docs/guides/phone-app.md", "utf8");

interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Reads lines as both samples do, and cuts the connection when `isLast` says so. */
async function listen(
  path: string,
  headers: Readonly<Record<string, string>>,
  isLast: (frame: Frame) => boolean,
): Promise<{ readonly status: number; readonly frames: readonly Frame[] }> {
  const stop = new AbortController();
  const response = await fetch(inject("baseUrl") + path, { headers, signal: stop.signal });
  const frames: Frame[] = [];
  if (response.status !== 200 || !response.body) return { status: response.status, frames };
  let [rest, id, event] = ["", "", ""];
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("id: ")) id = line.slice(4);
      if (line.startsWith("event: ")) event = line.slice(7);
      if (!line.startsWith("data: ")) continue;
      const frame = { id, event, data: JSON.parse(line.slice(6)) as Frame["data"] };
      frames.push(frame);
      if (isLast(frame)) {
        stop.abort();
        return { status: 200, frames };
      }
    }
  }
  return { status: 200, frames };
}

test("both samples have every request that is replayed here, and say that they were not compiled", () => {
  const samples = readSnippets(PAGE).filter(({ language }) =>
    ["swift", "kotlin"].includes(language),
  );

  expect(samples.map(({ language }) => language)).toEqual(["swift", "kotlin"]);
  expect(PAGE).toContain("**not compiled**");
  for (const { code } of samples) {
    for (const part of [
      "events?follow=session",
      "text/event-stream",
      "Last-Event-ID",
      "Idempotency-Key",
      "USER_CONFIRM_RESULT",
      "input_hashes",
      "confirm_results",
      "background",
      "Bearer ",
      "/v1/sessions/",
    ]) {
      expect(code).toContain(part);
    }
  }
});

test(
  "a phone streams, loses its connection, resumes at the exact event, renews its token and confirms",
  BROAD,
  async () => {
    const { key } = await createTenant();
    const agent = refundDeskAgent(Number(new URL(inject("toolsUrl")).port));
    const { body: made } = await request<{ id: string }>("POST", "/v1/agents", {
      key,
      body: { ...agent, tools: agent.tools?.slice(0, 2) },
    });
    const { body: session } = await request<{ id: string }>("POST", "/v1/sessions", {
      key,
      body: { agent_id: made.id },
    });
    const path = `/v1/sessions/${session.id}`;
    const newToken = async () => {
      const { body } = await request<{ id: string; token: string }>("POST", `${path}/tokens`, {
        key,
        body: { verbs: ["read", "reply", "confirm", "interrupt"] },
      });
      return body;
    };
    const first = await newToken();
    const post = (route: string, token: string, body: object, id: string) =>
      request(`POST`, `${path}/${route}`, {
        key: token,
        body,
        headers: { "Idempotency-Key": id },
      });

    // Twice, as after an answer that was lost: the key makes it one reply.
    const say = { input: "I want my money back for A-1003.", background: true };
    const sent = [
      await post("replies", first.token, say, "say-1"),
      await post("replies", first.token, say, "say-1"),
    ];
    const stream = { Accept: "text/event-stream", Authorization: `Bearer ${first.token}` };
    const cut = await listen(`${path}/events?follow=session`, stream, ({ id }) => id === "5");
    await request("DELETE", `${path}/tokens/${first.id}`, { key });
    const refused = await listen(
      `${path}/events?follow=session`,
      { ...stream, "Last-Event-ID": "5" },
      () => true,
    );
    const { token } = await newToken();
    const renewed = { ...stream, Authorization: `Bearer ${token}` };
    const resumed = await listen(
      `${path}/events?follow=session`,
      { ...renewed, "Last-Event-ID": "5" },
      ({ event }) => event === "REQUIRE_USER_CONFIRM",
    );
    const question = resumed.frames.at(-1);
    const {
      tool_calls: calls,
      metadata,
      reply_id,
    } = (question?.data ?? {}) as {
      tool_calls: { id: string }[];
      metadata: { input_hashes: object };
      reply_id: string;
    };
    const answer = {
      type: "USER_CONFIRM_RESULT",
      reply_id,
      metadata: { input_hashes: metadata.input_hashes },
      confirm_results: calls.map(({ id }) => ({ confirmed: true, tool_call: { id } })),
    };
    const answered = [
      await post("events", token, answer, "yes-1"),
      await post("events", token, answer, "yes-1"),
    ];
    const rest = await listen(
      `${path}/events?follow=session`,
      { ...renewed, "Last-Event-ID": question?.id ?? "" },
      ({ event }) => event === "REPLY_END",
    );

    expect(sent.map(({ status }) => status)).toEqual([202, 202]);
    expect(answered.map(({ status }) => status)).toEqual([202, 202]);
    expect(refused.status).toBe(401);
    const ids = [...cut.frames, ...resumed.frames, ...rest.frames].map(({ id }) => Number(id));
    expect(ids).toEqual(ids.map((_, index) => index + 1));
    expect(rest.frames.at(-1)?.data).toMatchObject({ finished_reason: "completed" });
  },
);
