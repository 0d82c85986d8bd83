// A POST whose answer is lost and was too large to be kept, over the real platform.
import { expect, it } from "vitest";

import { openDesk } from "./desk.ts";
import { cut, failure, json, startStage } from "./stage.ts";

/** A `fetch` that loses the first answer when the platform has given it. */
function loseFirst() {
  const asked: string[] = [];
  const lossy = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    asked.push(`${init?.method} ${response.status}`);
    if (asked.length > 1) return response;
    await response.arrayBuffer();
    throw new TypeError("the connection was lost");
  };
  return { asked, lossy };
}

it("is answered with what the first attempt has made, which is there once", async () => {
  const desk = await openDesk();
  const { asked, lossy } = loseFirst();
  const reprise = desk.clientOf({ fetch: lossy });

  const agent = await reprise.agents.create({ name: "Big", system_prompt: "x".repeat(100_000) });

  const { data } = await desk.reprise.agents.list().page();
  expect(asked).toEqual(["POST 201", "POST 409", "GET 200"]);
  expect(data.filter(({ name }) => name === "Big")).toEqual([agent]);
});

it("is the error where nothing was made that could be read", async () => {
  const { reprise, requests } = await startStage([cut, json(409, { code: "answer_not_kept" })]);

  const error = await failure(reprise.agents.create({ name: "Big" }));

  expect(error).toMatchObject({ status: 409, code: "answer_not_kept" });
  expect(requests).toHaveLength(2);
});
