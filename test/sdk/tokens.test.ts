// A client token that runs out: the app's function gives the next one.
import { describe, expect, it } from "vitest";

import { ApiError, ConnectionError } from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { cut, failure, frame, json, refuse, startStage, stream, type Scene } from "./stage.ts";

const START = frame(1, "REPLY_START", { name: "Desk", role: "assistant" });
const END = frame(2, "REPLY_END", { finished_reason: "completed", error: null });
const session = json(200, { id: "ses_1" });

/** Gives rt_1, rt_2 and so on. */
function countingSource() {
  let count = 0;
  return () => Promise.resolve(`rt_${(count += 1)}`);
}

/** Does as `scene` when the token is one of these, and refuses any other. */
function only(tokens: readonly string[], scene: Scene): Scene {
  return (response, request) => {
    const isTaken = tokens.some((token) => request.headers["authorization"] === `Bearer ${token}`);
    (isTaken ? scene : refuse(401))(response, request);
  };
}

function tokensOf(requests: readonly { readonly headers: Readonly<Record<string, unknown>> }[]) {
  return requests.map(({ headers }) => String(headers["authorization"]).slice("Bearer ".length));
}

describe("a token function", () => {
  it("is asked once for all requests, until its token is refused", async () => {
    const scene = only(["rt_2"], session);
    const { reprise, requests } = await startStage([scene], {
      apiKey: undefined,
      token: countingSource(),
    });

    await Promise.all(["ses_1", "ses_2", "ses_3"].map((id) => reprise.sessions.get(id)));
    await reprise.sessions.get("ses_4");

    expect(tokensOf(requests).toSorted()).toEqual([
      ...Array(3).fill("rt_1"),
      ...Array(4).fill("rt_2"),
    ]);
  });

  it("is asked twice at most for one request", async () => {
    const { reprise, requests } = await startStage([refuse(401)], {
      apiKey: undefined,
      token: countingSource(),
    });

    const error = await failure(reprise.sessions.get("ses_1"));

    expect(ApiError.isInstance(error) && error.status).toBe(401);
    expect(tokensOf(requests)).toEqual(["rt_1", "rt_2"]);
  });

  it("that gives the same token again ends the request without a second try", async () => {
    const { reprise, requests } = await startStage([refuse(401)], {
      apiKey: undefined,
      token: () => "rt_1",
    });

    expect(await failure(reprise.sessions.get("ses_1"))).toMatchObject({ status: 401 });
    expect(requests).toHaveLength(1);
  });

  it("that fails is asked again with the next try", async () => {
    let asked = 0;
    const token = () => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error("offline")) : `rt_${asked}`;
    };
    const { reprise, requests } = await startStage([session], { apiKey: undefined, token });

    expect(await reprise.sessions.get("ses_1")).toEqual({ id: "ses_1" });
    expect(tokensOf(requests)).toEqual(["rt_2"]);
  });

  it("that never answers is a ConnectionError in time", async () => {
    const { reprise } = await startStage([session], {
      apiKey: undefined,
      token: () => new Promise<string>(() => undefined),
      timeoutMs: 30,
      maxRetries: 0,
    });

    expect(ConnectionError.isInstance(await failure(reprise.sessions.get("ses_1")))).toBe(true);
  });

  it("that never answers keeps nobody who has given up", async () => {
    const { reprise, requests } = await startStage([session], {
      apiKey: undefined,
      token: () => new Promise<string>(() => undefined),
      timeoutMs: 60_000,
    });
    const controller = new AbortController();
    const reason = new Error("left the page");

    const failed = failure(reprise.sessions.get("ses_1", { signal: controller.signal }));
    await Promise.resolve();
    controller.abort(reason);

    expect(await failed).toBe(reason);
    expect(requests).toEqual([]);
  });
});

describe("a stream whose token runs out", () => {
  it("goes on with the next token where it was", async () => {
    const scenes = [
      only(["rt_1"], stream(START, { isCut: true })),
      only(["rt_2"], cut),
      only(["rt_2"], stream(END)),
    ];
    const { reprise, requests } = await startStage(scenes, {
      apiKey: undefined,
      token: countingSource(),
    });

    const events = await collect(reprise.session("ses_1").reply("Hi"));

    expect(events.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(tokensOf(requests)).toEqual(["rt_1", "rt_1", "rt_2"]);
    expect(requests[2]?.path).toBe("/v1/sessions/ses_1/events?after=1&reply_id=rep_1");
  });

  it("starts its reply once when the first token was too old", async () => {
    const { reprise, requests } = await startStage([only(["rt_2"], stream(START + END))], {
      apiKey: undefined,
      token: countingSource(),
    });

    await collect(reprise.session("ses_1").reply("Hi"));

    const sent = requests.map(({ body, headers }) => ({ body, key: headers["idempotency-key"] }));
    expect(sent).toEqual([sent[0], sent[0]]);
  });
});
