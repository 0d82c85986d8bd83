// The behaviour of the newest upstream, where it differs from the observed cases.
import { describe, expect, it } from "vitest";

import { safeParseEvent } from "../../../protocol/parse.ts";
import { fold } from "../../support/fold.ts";

const times = { created_at: "T", finished_at: null };
const startText = { type: "TEXT_BLOCK_START", block_id: "b1" };
const startImage = { type: "DATA_BLOCK_START", block_id: "d1", media_type: "image/png" };
const startResult = { type: "TOOL_RESULT_START", tool_call_id: "c1", tool_call_name: "f" };

function resultData(block_id: string, payload: { data: string } | { url: string }) {
  const fields = { tool_call_id: "c1", block_id, media_type: "image/png" };
  return { type: "TOOL_RESULT_DATA_DELTA", ...fields, ...payload };
}

function dataBlock(id: string, source: Record<string, unknown>) {
  return { type: "data", id, source: { media_type: "image/png", ...source }, name: null, ...times };
}

function resultWith(output: readonly unknown[]) {
  const result = { type: "tool_result", id: "c1", name: "f", output, state: "running" };
  return [{ ...result, metadata: {}, ...times }];
}

describe("appendEvent as of the newest upstream", () => {
  it("AN1 takes the text of the END instead of what had accumulated", () => {
    const message = fold([
      startText,
      { type: "TEXT_BLOCK_DELTA", block_id: "b1", delta: "Hello wor" },
      { type: "TEXT_BLOCK_END", block_id: "b1", text: "Hello", created_at: "T2" },
    ]);

    expect(message.content).toEqual([
      { type: "text", text: "Hello", id: "b1", created_at: "T", finished_at: "T2" },
    ]);
  });

  it("takes an empty text of the END too", () => {
    const message = fold([
      startText,
      { type: "TEXT_BLOCK_DELTA", block_id: "b1", delta: "x" },
      { type: "TEXT_BLOCK_END", block_id: "b1", text: "" },
    ]);

    expect(message.content).toEqual([
      { type: "text", text: "", id: "b1", created_at: "T", finished_at: "T" },
    ]);
  });

  it("AN2 keeps the accumulated text when the END names none", () => {
    const message = fold([
      startText,
      { type: "TEXT_BLOCK_DELTA", block_id: "b1", delta: "x" },
      { type: "TEXT_BLOCK_END", block_id: "b1", text: null },
    ]);

    expect(message.content).toEqual([
      { type: "text", text: "x", id: "b1", created_at: "T", finished_at: "T" },
    ]);
  });

  it("AN3 keeps the name of a data block", () => {
    const message = fold([{ ...startImage, name: "a.png" }]);

    expect(message.content).toEqual([
      { ...dataBlock("d1", { type: "base64", data: "" }), name: "a.png" },
    ]);
  });

  it("AN4 lets a url replace the source of a data block", () => {
    const message = fold([
      startImage,
      {
        type: "DATA_BLOCK_DELTA",
        block_id: "d1",
        url: "https://h/x.png",
        media_type: "image/png",
      },
    ]);

    expect(message.content).toEqual([dataBlock("d1", { type: "url", url: "https://h/x.png" })]);
  });

  it("ignores data for a data block that has a url", () => {
    const delta = { type: "DATA_BLOCK_DELTA", block_id: "d1", media_type: "image/png" };

    const message = fold([startImage, { ...delta, url: "s3://h/x" }, { ...delta, data: "YQ==" }]);

    expect(message.content).toEqual([dataBlock("d1", { type: "url", url: "s3://h/x" })]);
  });

  it("AN5 joins the bytes of a result's data block", () => {
    const message = fold([
      startResult,
      resultData("x", { data: "YQ==" }),
      resultData("x", { data: "Yg==" }),
    ]);

    expect(message.content).toEqual(resultWith([dataBlock("x", { type: "base64", data: "YWI=" })]));
  });

  it("takes the newest media type of a result's data block", () => {
    const message = fold([
      startResult,
      resultData("x", { data: "YQ==" }),
      { ...resultData("x", { data: "Yg==" }), media_type: "audio/wav" },
    ]);

    expect(message.content).toEqual(
      resultWith([dataBlock("x", { type: "base64", data: "YWI=", media_type: "audio/wav" })]),
    );
  });

  it("AN6 keeps data of two block ids in two blocks", () => {
    const message = fold([
      startResult,
      resultData("x", { data: "YQ==" }),
      resultData("y", { data: "Yg==" }),
    ]);

    expect(message.content).toEqual(
      resultWith([
        dataBlock("x", { type: "base64", data: "YQ==" }),
        dataBlock("y", { type: "base64", data: "Yg==" }),
      ]),
    );
  });

  it("AN7 joins no data to a block that has a url", () => {
    const message = fold([
      startResult,
      resultData("x", { url: "https://h/x.png" }),
      resultData("x", { data: "YQ==" }),
    ]);

    expect(message.content).toEqual(
      resultWith([
        dataBlock("x", { type: "url", url: "https://h/x.png" }),
        dataBlock("x", { type: "base64", data: "YQ==" }),
      ]),
    );
  });

  it.each([
    ["both", { data: "YQ==", url: "https://h/x.png" }],
    ["neither", {}],
  ])("AN8 refuses a DATA_BLOCK_DELTA with %s of data and url", (_which, payload) => {
    const delta = { type: "DATA_BLOCK_DELTA", reply_id: "r1", block_id: "d1", media_type: "m" };

    const result = safeParseEvent({ ...delta, ...payload });

    expect(result.error?.issues).toEqual([
      { code: "custom", path: ["data"], message: "give exactly one of data and url" },
    ]);
  });

  it("ignores bad base64 in a result", () => {
    const before = fold([startResult, resultData("x", { data: "YQ==" })]);

    expect(fold([resultData("x", { data: "Y" }), resultData("y", { data: "YWJ" })], before)).toBe(
      before,
    );
  });
});
