// Step of the tour that a person has reached. This browser keeps it, for each tenant.
import { useSyncExternalStore } from "react";

interface TourState {
  /** Null before it begins. */
  readonly agentId: string | null;
  /** Index of the step, from 0. */
  readonly step: number;
  readonly status: "new" | "running" | "dismissed" | "done";
}

const NEW: TourState = { agentId: null, step: 0, status: "new" };
const STATUSES: ReadonlySet<unknown> = new Set(["new", "running", "dismissed", "done"]);

const listeners = new Set<() => void>();
/** State that was read last: a snapshot stays the same until it changes, and survives where storage is switched off. */
const known = new Map<string, TourState>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readTour(tenantId: string): TourState {
  const state = known.get(tenantId) ?? readKept(tenantId);
  known.set(tenantId, state);
  return state;
}

function readKept(tenantId: string): TourState {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(tenantId)) ?? "null");
    return isState(kept) ? kept : NEW;
  } catch {
    return NEW;
  }
}

function isState(value: unknown): value is TourState {
  if (typeof value !== "object" || value === null) return false;
  const { agentId, step, status } = value as Partial<Record<keyof TourState, unknown>>;
  return (
    (agentId === null || typeof agentId === "string") &&
    Number.isSafeInteger(step) &&
    STATUSES.has(status)
  );
}

export function useTour(tenantId: string): TourState {
  return useSyncExternalStore(subscribe, () => readTour(tenantId));
}

export function setTour(tenantId: string, change: Partial<TourState>): void {
  const state = { ...readTour(tenantId), ...change };
  known.set(tenantId, state);
  try {
    localStorage.setItem(keyOf(tenantId), JSON.stringify(state));
  } catch {
    // Then it lasts until the page is reloaded.
  }
  for (const listener of listeners) listener();
}

function keyOf(tenantId: string): string {
  return `reprise.tour.${tenantId}`;
}
