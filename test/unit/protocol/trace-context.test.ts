import { describe, expect, it } from "vitest";

import { continueTrace, traceIdOf } from "../../../protocol/trace-context.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const SPAN = "00f067aa0ba902b7";
const GIVEN = `00-${TRACE}-${PARENT}-01`;
const CONTINUED = `00-${TRACE}-${SPAN}-01`;

describe("continueTrace", () => {
  it.each([
    ["a trace that is sampled", GIVEN, CONTINUED],
    ["one that is not", `00-${TRACE}-${PARENT}-00`, `00-${TRACE}-${SPAN}-00`],
    ["a random trace id", `00-${TRACE}-${PARENT}-03`, `00-${TRACE}-${SPAN}-03`],
    ["flags without a meaning", `00-${TRACE}-${PARENT}-fd`, `00-${TRACE}-${SPAN}-01`],
    ["a later version", `cc-${TRACE}-${PARENT}-01-what-comes-later`, CONTINUED],
    ["a later version without more", `cc-${TRACE}-${PARENT}-01`, CONTINUED],
  ])("goes on with %s, with our span as the parent", (_, traceparent, continued) => {
    expect(continueTrace({ traceparent }, SPAN)).toEqual({ traceparent: continued });
  });

  it.each([
    ["none", undefined],
    ["an empty one", ""],
    ["a trace id of zeros", `00-${"0".repeat(32)}-${PARENT}-01`],
    ["a parent id of zeros", `00-${TRACE}-${"0".repeat(16)}-01`],
    ["the version that never will be", `ff-${TRACE}-${PARENT}-01`],
    ["upper case", GIVEN.toUpperCase()],
    ["a version 00 that goes on", `${GIVEN}-more`],
    ["a later version that goes on without a dash", `cc-${TRACE}-${PARENT}-01.more`],
    ["no flags", `00-${TRACE}-${PARENT}`],
    ["a short trace id", `00-${TRACE.slice(1)}-${PARENT}-01`],
    ["two headers in one", `${GIVEN}, ${GIVEN}`],
    ["a line break behind it", `${GIVEN}\n`],
    ["spaces around it", ` ${GIVEN} `],
  ])("ignores %s", (_, traceparent) => {
    expect(continueTrace({ traceparent, tracestate: "a=1" }, SPAN)).toBe(null);
  });

  it.each([
    ["rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"],
    [" rojo=1 ,\tcongo=2,, ", "rojo=1,congo=2"],
    ["tenant@system=a b;c:d", "tenant@system=a b;c:d"],
    [`a=${"v".repeat(256)}`, `a=${"v".repeat(256)}`],
    [numbered(32), numbered(32)],
  ])("passes the tracestate %j on", (tracestate, passed) => {
    expect(continueTrace({ traceparent: GIVEN, tracestate }, SPAN)).toEqual({
      traceparent: CONTINUED,
      tracestate: passed,
    });
  });

  it.each([
    "",
    " , ",
    "no-value",
    "a=",
    "A=1",
    "a=1,a=2",
    "a=b=c",
    "a=ü",
    "a=1\r\nx: y",
    `a=${"v".repeat(257)}`,
    numbered(33),
    `a=${"v".repeat(250)},b=${"v".repeat(250)},c=${"v".repeat(10)}`,
  ])("leaves the tracestate %j out and keeps the trace", (tracestate) => {
    expect(continueTrace({ traceparent: GIVEN, tracestate }, SPAN)).toEqual({
      traceparent: CONTINUED,
    });
  });
});

it.each([
  ["2,048 characters is read", `a=1${" ".repeat(2_045)}`, { tracestate: "a=1" }],
  ["2,049 is not", `a=1${" ".repeat(2_046)}`, {}],
  ["120,000, nearly all of them spaces, is not", `a=1${" ".repeat(120_000)}2`, {}],
])("a tracestate of %s", (_, tracestate, read) => {
  expect(continueTrace({ traceparent: GIVEN, tracestate }, SPAN)).toEqual({
    traceparent: CONTINUED,
    ...read,
  });
});

it("traceIdOf tells the trace", () => {
  expect(traceIdOf({ traceparent: GIVEN })).toBe(TRACE);
});

function numbered(members: number): string {
  return Array.from({ length: members }, (_, index) => `k${index}=1`).join(",");
}
