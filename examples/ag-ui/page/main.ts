// The page: renders the desk's state on every change.
import { byId, element } from "./element.ts";
import { RefundDesk } from "./refund-desk.ts";
import { showApprovals } from "./show-approvals.ts";
import { showMessages } from "./show-messages.ts";

interface PageSettings {
  readonly baseUrl: string;
  readonly agentId: string;
  readonly sessionId: string;
}

const settings = (await (await fetch("/settings")).json()) as PageSettings;
let isDue = false;
let shownInterrupts = "";

const desk = new RefundDesk({
  ...settings,
  token: async () => (await fetch("/token")).text(),
  onChange() {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(show);
  },
});

function show(): void {
  isDue = false;
  byId("messages").replaceChildren(...showMessages(desk));
  showCase();
  showConnection();
  const failure = byId("failure");
  failure.textContent = desk.failure;
  failure.hidden = desk.failure === null;
  const isAsking = !desk.isBusy && desk.agent.pendingInterrupts.length > 0;
  for (const control of byId("say").querySelectorAll<HTMLInputElement>("input, button")) {
    control.disabled = desk.isBusy || isAsking;
  }
  document.body.dataset["state"] = desk.isBusy ? "busy" : isAsking ? "asking" : "idle";
  // A card with an input in use is not rendered again.
  const asking = isAsking ? desk.agent.pendingInterrupts.map(({ id }) => id).join() : "";
  if (asking === shownInterrupts) return;
  shownInterrupts = asking;
  byId("approvals").replaceChildren(...(isAsking ? showApprovals(desk) : []));
}

/** Shows the shared state. */
function showCase(): void {
  const state = desk.agent.state as Readonly<Record<string, unknown>>;
  const rows = Object.entries(state).flatMap(([name, value]) => {
    const isObject = typeof value === "object" && value !== null;
    const parts: readonly unknown[] = isObject ? Object.values(value) : [value];
    const text = parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
    return [element("dt", "", name), element("dd", "", text.join(", "))];
  });
  byId("case").replaceChildren(...rows);
}

function showConnection(): void {
  const state = desk.connections.at(-1) ?? "closed";
  const isAsking = desk.agent.pendingInterrupts.length > 0;
  const badge = byId("connection");
  badge.textContent = desk.isBusy ? state : isAsking ? "waits for a person" : "ready";
  badge.dataset["state"] = desk.isBusy ? state : "";
  const lines = desk.connections.slice(-8).map((one) => element("li", "", one));
  byId("connections").replaceChildren(...lines);
}

byId("say").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = byId<HTMLInputElement>("question");
  const text = question.value.trim();
  if (!text || desk.isBusy) return;
  question.value = "";
  void desk.ask(text);
});

byId("tunnel").addEventListener("click", () => void fetch("/tunnel", { method: "POST" }));

// For the browser driver, and for experiments in the console.
Object.assign(globalThis, { desk });

await desk.open();
