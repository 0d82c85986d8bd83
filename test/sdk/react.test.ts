// The hook in React, over the real platform.
import { memo, createElement, useCallback } from "react";
import { describe, expect, inject, it, onTestFinished } from "vitest";

import { useSession, type SessionView, type UseSessionOptions } from "@reprise/sdk/react";
import type { Msg, TenantSession } from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { waitFor } from "../support/wait-for.ts";
import { openDesk, QUICK } from "./desk.ts";
import { mount, mountHook, type HookProps } from "./react-page.ts";
import { textOf } from "./watch-store.ts";

const desk = await openDesk();
const DIRECT: UseSessionOptions = { client: desk.reprise };

async function until(
  view: () => SessionView | undefined,
  isReached: (view: SessionView) => boolean,
) {
  return waitFor(() => {
    const now = view();
    if (!now || !isReached(now)) throw new Error(`not yet: ${now?.status} ${now?.messages.length}`);
    return now;
  });
}

describe("useSession", () => {
  it("streams what it sends, in StrictMode, with one reply and no message twice", async () => {
    const session = await desk.openSession();
    const { view } = mountHook({ sessionId: session.id, options: DIRECT });
    await until(view, ({ status }) => status === "idle");

    const reply = await view()?.send("/rate 300\n/words 30");
    const { messages } = await until(
      view,
      (now) => now.status === "idle" && now.messages.length === 2,
    );

    expect(messages).toEqual((await session.messages.list().page()).data);
    expect((await session.replies.list().page()).data.map(({ id }) => id)).toEqual([reply?.id]);
  });
});
