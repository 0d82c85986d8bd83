// A page with React, in this process.
import { Window } from "happy-dom";
import { createElement, Profiler, StrictMode, type FunctionComponent } from "react";
import { onTestFinished, vi } from "vitest";

import { useSession, type SessionView, type UseSessionOptions } from "@reprise/sdk/react";

// Before react-dom is loaded: it looks for a page at once.
const window = new Window({ url: "http://localhost/" });
vi.stubGlobal("window", window);
vi.stubGlobal("document", window.document);
const { createRoot } = await import("react-dom/client");

/** Mounts an element. @returns a function that renders another in its place, and one that takes it away. */
export function mount<Props extends object>(component: FunctionComponent<Props>, props: Props) {
  const container = window.document.createElement("div");
  const root = createRoot(container as unknown as Parameters<typeof createRoot>[0]);
  let commits = 0;
  const render = (next: Props) =>
    root.render(
      createElement(
        StrictMode,
        null,
        createElement(
          Profiler,
          { id: "page", onRender: () => (commits += 1) },
          createElement(component, next),
        ),
      ),
    );
  render(props);
  const leave = () => root.unmount();
  onTestFinished(leave);
  return { container, render, leave, commits: () => commits };
}

export interface HookProps {
  readonly sessionId: string | null;
  readonly options: UseSessionOptions;
}

/** A component that only calls the hook, in StrictMode. */
export function mountHook(props: HookProps) {
  const views: SessionView[] = [];
  const page = mount(({ sessionId, options }: HookProps) => {
    views.push(useSession(sessionId, { storage: null, ...options }));
    return null;
  }, props);
  return { ...page, views, view: () => views.at(-1) };
}
