// The call whose leaving ends a reply, when several follow it.
import { describe, expect, it } from "vitest";

import { ReplyFollowers } from "../../../durable-objects/sessions/reply-followers.ts";

const asking = { id: "asking", owns: true };
const looking = { id: "looking", owns: false };
const again = { id: "again", owns: true };

function open() {
  const clock = { ms: 0 };
  return { followers: new ReplyFollowers(() => clock.ms), clock };
}

describe("a reply loses its owner", () => {
  it("when the call that has begun it leaves, known or not", () => {
    const { followers } = open();
    followers.note("one", asking, 100);

    expect(followers.leave("one", asking)).toBe(true);
    // After the loss of the object nothing is known of it.
    expect(open().followers.leave("one", asking)).toBe(true);
  });

  it("not when one leaves that only looks on", () => {
    const { followers } = open();
    followers.note("one", asking, 100);
    followers.note("one", looking, 100);

    expect(followers.leave("one", looking)).toBe(false);
    expect(followers.leave("one", asking)).toBe(true);
  });

  it("when the call that has taken it up leaves, and not by the first, which the server notices later", () => {
    const { followers } = open();
    followers.note("one", asking, 100);

    expect(followers.takeOver("one", looking, 100)).toBe(true);
    expect(followers.leave("one", asking)).toBe(false);
    expect(followers.leave("one", looking)).toBe(true);
  });

  it("only with the last of the calls that follow it", () => {
    const { followers } = open();
    followers.note("one", asking, 100);
    followers.takeOver("one", again, 100);
    followers.note("one", asking, 100);

    expect(followers.leave("one", again)).toBe(false);
    expect(followers.leave("one", asking)).toBe(true);
  });

  it("although another call has followed it until it was not heard of any more", () => {
    const { followers, clock } = open();
    followers.note("one", asking, 1_000);
    followers.note("one", looking, 100);
    clock.ms = 100;

    expect(followers.leave("one", asking)).toBe(true);
  });

  it("although another call follows another reply", () => {
    const { followers } = open();
    followers.note("one", asking, 100);
    followers.note("two", again, 100);

    expect(followers.leave("one", asking)).toBe(true);
    expect(followers.leave("two", again)).toBe(true);
  });
});

it("a call that takes up a reply which nobody owns does not own it", () => {
  const { followers } = open();

  expect(followers.takeOver("one", looking, 100)).toBe(false);
  expect(followers.leave("one", looking)).toBe(false);
});
