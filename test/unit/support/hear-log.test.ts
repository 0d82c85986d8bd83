// What a test of the log hears, while the platform that it shares with others has something to say, too.
import { expect, test } from "vitest";

import { hearLog } from "../../support/hear-log.ts";

const RETRY = "queue: job failed; will retry";
const LATE = "could not get a lease from the tenant's object";

test("a test of the log hears nothing of other tests' jobs and of a slow machine", () => {
  const log = hearLog();
  console.warn(RETRY, { job: {} });
  console.error("a summary could not be made");
  console.warn(LATE);
  console.warn('{"log":"reply_failed"}');

  expect(log).toEqual(["a summary could not be made", { log: "reply_failed" }]);
});

test("a test that makes a job fail hears that", () => {
  const log = hearLog([RETRY]);
  console.warn(RETRY, { job: {} });
  console.warn(LATE);

  expect(log).toEqual([RETRY]);
});
