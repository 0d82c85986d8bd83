import { addUp, type ChartColumn } from "./chart-data.ts";

interface ChartTooltipProps {
  /** Undefined when none is pointed at. */
  readonly column: ChartColumn | undefined;
  readonly series: readonly string[];
  readonly format: (value: number) => string;
  /** The middle of the column, and the width of the chart, in pixels. */
  readonly x: number;
  readonly width: number;
}

/** The numbers of one column, beside it; a screen reader says them as the arrow keys move. */
export function ChartTooltip({ column, series, format, x, width }: ChartTooltipProps) {
  const isLeft = x > width / 2;
  return (
    <div
      className="chart-tooltip"
      role="status"
      hidden={!column}
      style={isLeft ? { right: `${width - x + 14}px` } : { left: `${x + 14}px` }}
    >
      {column && <Numbers column={column} series={series} format={format} />}
    </div>
  );
}

function Numbers({
  column,
  series,
  format,
}: {
  readonly column: ChartColumn;
} & Pick<ChartTooltipProps, "series" | "format">) {
  const { sum, isWhole } = addUp(column.values);
  const parts = series
    .map((name, index) => ({ name, index, value: column.values[index] ?? null }))
    .filter(({ value }) => value !== 0);
  return (
    <>
      <strong>{column.label}</strong>
      <dl>
        {parts.map(({ name, index, value }) => (
          <div key={index}>
            <dt>
              <span className="chart-swatch" data-series={index} aria-hidden />
              <bdi>{name}</bdi>
            </dt>
            <dd>{value === null ? "not known" : format(value)}</dd>
          </div>
        ))}
        <div className="chart-total">
          <dt>{isWhole ? "Together" : "Known of it"}</dt>
          <dd>{format(sum)}</dd>
        </div>
      </dl>
    </>
  );
}
