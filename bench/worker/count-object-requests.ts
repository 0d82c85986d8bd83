// Counts what the objects of one Worker are asked and write. All of them share its isolate, and so this module.
import type { ObjectUsage } from "../cost/object-usage.ts";
import type { RowCounter } from "./count-written-rows.ts";

const counters: RowCounter[] = [];
let requests = 0;

/** @param counter Of an object's storage; counts on when the object has gone. */
export function addCounter(counter: RowCounter): RowCounter {
  counters.push(counter);
  return counter;
}

export function countRequest(): void {
  requests += 1;
}

export function objectUsage(): ObjectUsage {
  return { requests, rows_written: counters.reduce((sum, { written }) => sum + written, 0) };
}

/** The same namespace; each call of one of its objects is counted. */
export function countRequests<Namespace extends object>(namespace: Namespace): Namespace {
  return wrap(namespace, (name, result) =>
    name === "get" || name === "getByName" ? wrap(result as object, countRequest) : result,
  );
}

/** @param after Called with the name and the result of each method; what it returns takes the result's place, if anything. */
function wrap<Target extends object>(
  target: Target,
  after: (name: string, result: unknown) => unknown,
): Target {
  return new Proxy(target, {
    get(_, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function" || typeof name !== "string") return member;
      return (...values: unknown[]): unknown => {
        // The runtime's methods must be called on its own object.
        const result: unknown = Reflect.apply(member, target, values);
        return after(name, result) ?? result;
      };
    },
  });
}
