// Lines of the log that a test hears, while the platform that it shares with others has something to say, too.
import { expect, test } from "vitest";

import { hearLog, JOB_FAILED } from "../../support/hear-log.ts";

const SLOW = "could not get a lease from the tenant's object";

test("a test of the log hears nothing of a slow machine", () => {
  const log = hearLog();
  console.warn(JOB_FAILED, { job: {} });
  console.error("a summary could not be made");
  console.warn(SLOW);
  console.warn('{"log":"reply_failed"}');

  expect(log).toEqual([JOB_FAILED, "a summary could not be made", { log: "reply_failed" }]);
});

test("a test that aborts all objects leaves out the jobs that fail of that", () => {
  const log = hearLog([JOB_FAILED]);
  console.warn(JOB_FAILED, { job: {} });
  console.error("a summary could not be made");

  expect(log).toEqual(["a summary could not be made"]);
});
