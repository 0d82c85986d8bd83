// The grammar of cron expressions: what is read, and what is refused before a library sees it.
import { describe, expect, it } from "vitest";

import { readCron } from "../../../protocol/triggers/cron-expression.ts";

describe("an expression of five fields", () => {
  it.each([
    ["* * * * *", "* * * * *"],
    ["  0   9 *  * 1-5 ", "0 9 * * 1-5"],
    ["*/15 0-6/2 1,15 JAN-mar,7 sun", "*/15 0-6/2 1,15 1-3,7 0"],
    ["00 09 01 01 7", "0 9 1 1 7"],
    ["5 4 * * mon-fri", "5 4 * * 1-5"],
  ])("%s is read as %s", (expression, pattern) => {
    expect(readCron(expression)).toMatchObject({ ok: true, pattern });
  });

  it.each([
    ["0 * * * *", true],
    ["*/30 2 * * *", true],
    ["*/15,7 2 * * *", true],
    ["30 */2 * * *", true],
    ["30 1,2 * * *", false],
    ["0-59 2 * * *", false],
    ["7,*/15 2 * * *", false],
    ["30 2 */2 * *", false],
  ])("%s is due in both of two repeated hours: %s", (expression, is_repeated) => {
    expect(readCron(expression)).toMatchObject({ ok: true, is_repeated });
  });
});

describe("an expression is refused", () => {
  it.each([
    ["", "has 1 fields; five are needed"],
    ["0 9 * *", "has 4 fields; five are needed"],
    ["0 0 9 * * 1", "has 6 fields; five are needed"],
    ["0 0 9 * * 1 2030", "has 7 fields; five are needed"],
    ["@daily", "has @daily; write five fields"],
    ["@every 5m", "has @every; write five fields"],
    ["0 0 L * *", 'has "l" as the day of the month'],
    ["0 0 15W * *", 'has "15w" as the day of the month'],
    ["0 0 LW * *", 'has "lw" as the day of the month'],
    ["0 0 * * 5#2", 'has "5#2" as the day of the week'],
    ["0 0 * * 5L", 'has "5l" as the day of the week'],
    ["0 0 ? * *", 'has "?" as the day of the month'],
    ["0 0 * * +1", 'has "+1" as the day of the week'],
    ["H 0 * * *", 'has "h" as the minute'],
    ["60 0 * * *", 'has "60" as the minute, which is 0 to 59'],
    ["0 24 * * *", 'has "24" as the hour, which is 0 to 23'],
    ["0 0 0 * *", 'has "0" as the day of the month, which is 1 to 31'],
    ["0 0 * 13 *", 'has "13" as the month, which is 1 to 12'],
    ["0 0 * * 8", 'has "8" as the day of the week, which is 0 to 7'],
    ["0 0 * mon *", 'has "mon" as the month'],
    ["0 22-6 * * *", 'has the range "22-6", which ends before it begins'],
    ["5/15 * * * *", 'has "5/15"; a step needs a range, such as 5-59/15'],
    ["*/0 * * * *", 'has the step "0" for the minute'],
    ["*/60 * * * *", 'has the step "60" for the minute'],
    ["1,,2 * * * *", 'has "" as the minute'],
    ["1, * * * *", 'has "" as the minute'],
    ["-1 * * * *", 'has "-1" as the minute'],
    ["1.5 * * * *", 'has "1.5" as the minute'],
    ["* * * * * ; rm", "has 7 fields"],
  ])("%s", (expression, problem) => {
    const reading = readCron(expression);

    expect(reading.ok).toBe(false);
    expect(reading).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});
