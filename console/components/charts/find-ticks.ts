/** Steps of an axis that people read easily, times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10] as const;

/**
 * Values of an axis from 0 to the first round one that is not below the highest.
 *
 * @param highest Of the data; 0 or more.
 * @param count How many steps the axis has at most.
 */
export function findTicks(highest: number, count: number): readonly number[] {
  if (!(highest > 0) || !Number.isFinite(highest)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(highest / count));
  const step = (STEPS.find((one) => one * power * count >= highest) ?? 10) * power;
  const steps = Math.ceil(highest / step - 1e-9);
  // Multiplied, not added up: errors of floating point numbers would show in labels.
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
