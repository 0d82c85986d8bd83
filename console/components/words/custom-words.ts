import { describeProgress, type ToolProgress } from "../../../sdk/index.ts";
import { wordsOfCalled } from "./called-words.ts";
import { wordsOfHook } from "./hook-words.ts";
import { wordsOfMemory } from "./memory-words.ts";
import { wordsOfSpeech } from "./speech-words.ts";

/** Content of a `CUSTOM` event, in a few words. @param value Of the log, which may be of a newer platform. */
export function wordsOfCustom(name: string, value: unknown): string {
  if (name === "hook_answered") return wordsOfHook(value);
  if (name === "tool_groups_changed") return wordsOfSwitch(value);
  if (name === "background_task_started") return `${wordsOfTask(value)} works in the background`;
  if (name === "background_task_ended") return wordsOfTaskEnd(value);
  if (name === "tool_progress") return `Progress: ${wordsOfProgress(value)}`;
  if (name === "input_answered") return wordsOfInput(value);
  if (name === "input_sent") return "The answers are sent to the MCP server";
  if (name === "agent_version_changed") return wordsOfVersion(value);
  if (name === "authorization_completed") return "Signed in: the calls that waited for it run";
  return (
    wordsOfMemory(name, value) ?? wordsOfCalled(name, value) ?? wordsOfSpeech(name, value) ?? name
  );
}

function wordsOfProgress(value: unknown): string {
  return describeProgress((value ?? {}) as Partial<ToolProgress>) || "nothing said";
}

/** The actions of the answers alone: what was typed is in the event. */
function wordsOfInput(value: unknown): string {
  const { responses } = (value ?? {}) as { readonly responses?: unknown };
  const actions = Object.values(responses ?? {}).map(
    (one) => (one as { readonly action?: unknown } | null)?.action,
  );
  return `The server's question was answered: ${actions.filter(Boolean).join(", ") || "nothing"}`;
}

function wordsOfVersion(value: unknown): string {
  const { from, to } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return `Version ${String(from)} of the agent was retired: the session has version ${String(to)} now`;
}

function wordsOfSwitch(value: unknown): string {
  const { activated_groups: groups, switched_by: by } = (value ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const active = Array.isArray(groups) && groups.length > 0 ? groups.join(", ") : "none";
  return `Tools switched by ${by ? "a person" : "the agent"}, active groups: ${active}`;
}

function wordsOfTask(value: unknown): string {
  const { tool_name } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return `A task of ${typeof tool_name === "string" ? tool_name : "a tool"}`;
}

function wordsOfTaskEnd(value: unknown): string {
  const { status, stopped_by, paused } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const task = wordsOfTask(value);
  if (status === "cancelled")
    return `${task} was stopped by ${stopped_by === "person" ? "a person" : "the agent"}`;
  const ended = status === "completed" ? `${task} has ended` : `${task} has failed`;
  return paused === true ? `${ended}, and waits for a message` : ended;
}
