import { useId, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";

import { addUp, type ChartData } from "./chart-data.ts";
import { ChartTable } from "./chart-table.tsx";
import { ChartTooltip } from "./chart-tooltip.tsx";
import { findTicks } from "./find-ticks.ts";
import { useWidth } from "./use-width.ts";

interface StackedBarsProps {
  /** Name of the chart, such as "Tokens by day and agent". */
  readonly label: string;
  /** Units of the upright axis, and of the level one. */
  readonly unit: string;
  readonly columnUnit: string;
  readonly data: ChartData;
  /** Formats for the tooltip and the table, and for the axis. */
  readonly format: (value: number) => string;
  readonly formatTick: (value: number) => string;
}

const HEIGHT = 260;
const MARGIN = { top: 26, right: 22, bottom: 46, left: 58 } as const;
const MAX_BAR_PIXELS = 44;
/** Room for a label below the axis. */
const LABEL_PIXELS = 58;
/** Height of the mark of a value that is not known. */
const UNKNOWN_PIXELS = 10;

/**
 * A bar for each column, stacked by series. Pointer and arrow keys show a column's numbers; a table below has all of
 * them. A value that is not known is an empty dashed box on top of the bar.
 */
export function StackedBars(props: StackedBarsProps) {
  const { label, unit, columnUnit, data, format, formatTick } = props;
  const frame = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const width = useWidth(frame);
  const [active, setActive] = useState<number | null>(null);
  const { columns, series } = data;
  const inner = Math.max(0, width - MARGIN.left - MARGIN.right);
  const band = columns.length === 0 ? 0 : inner / columns.length;
  const highest = Math.max(0, ...columns.map(({ values }) => addUp(values).sum));
  const ticks = findTicks(highest, 4);
  const top = ticks.at(-1) ?? 1;
  const plotHeight = HEIGHT - MARGIN.top - MARGIN.bottom;
  const yOf = (value: number) => MARGIN.top + plotHeight * (1 - value / top);
  const labelEvery = Math.max(1, Math.ceil(LABEL_PIXELS / Math.max(band, 1)));
  const shown = active === null ? undefined : columns[active];

  function point(event: PointerEvent<SVGSVGElement>): void {
    const { left } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor((event.clientX - left - MARGIN.left) / band);
    setActive(index >= 0 && index < columns.length ? index : null);
  }
  function step(event: KeyboardEvent): void {
    const last = columns.length - 1;
    const next = {
      ArrowRight: active === null ? 0 : Math.min(last, active + 1),
      ArrowLeft: active === null ? last : Math.max(0, active - 1),
      Home: 0,
      End: last,
      Escape: null,
    }[event.key];
    if (next === undefined || columns.length === 0) return;
    event.preventDefault();
    setActive(next);
  }

  return (
    <figure className="chart">
      <div
        ref={frame}
        className="chart-frame"
        role="group"
        aria-roledescription="chart"
        aria-label={label}
        aria-describedby={hintId}
        tabIndex={0}
        onKeyDown={step}
        onBlur={() => setActive(null)}
      >
        <p id={hintId} className="visually-hidden">
          The arrow keys read one bar after the other. The table below has the same numbers.
        </p>
        {width > 0 && (
          <svg
            aria-hidden
            width={width}
            height={HEIGHT}
            onPointerMove={point}
            onPointerDown={point}
            onPointerLeave={() => setActive(null)}
          >
            <text x={0} y={12} className="chart-unit">
              {unit}
            </text>
            <text x={width - MARGIN.right} y={HEIGHT - 4} textAnchor="end" className="chart-unit">
              {columnUnit}
            </text>
            {ticks.map((tick) => (
              <g key={tick}>
                <line x1={MARGIN.left} x2={width - MARGIN.right} y1={yOf(tick)} y2={yOf(tick)} />
                <text x={MARGIN.left - 8} y={yOf(tick) + 4} textAnchor="end">
                  {formatTick(tick)}
                </text>
              </g>
            ))}
            {columns.map((column, index) => {
              const middle = MARGIN.left + band * (index + 0.5);
              return (
                <g key={column.key}>
                  {index === active && (
                    <rect
                      className="chart-band"
                      x={middle - band / 2}
                      y={MARGIN.top}
                      width={band}
                      height={plotHeight}
                    />
                  )}
                  <Bar
                    values={column.values}
                    x={middle}
                    width={Math.max(1, Math.min(band * 0.72, MAX_BAR_PIXELS))}
                    yOf={yOf}
                  />
                  {(columns.length - 1 - index) % labelEvery === 0 && (
                    <text x={middle} y={HEIGHT - MARGIN.bottom + 18} textAnchor="middle">
                      {column.shortLabel}
                    </text>
                  )}
                </g>
              );
            })}
          </svg>
        )}
        <ChartTooltip
          column={shown}
          series={series}
          format={format}
          x={MARGIN.left + band * ((active ?? 0) + 0.5)}
          width={width}
        />
      </div>
      <ul className="chart-legend" aria-label={`Colours of ${label}`}>
        {series.map((name, index) => (
          <li key={`${index} ${name}`} title={name}>
            <span className="chart-swatch" data-series={index} aria-hidden />
            <bdi>{name}</bdi>
          </li>
        ))}
        {columns.some(({ values }) => values.includes(null)) && (
          <li>
            <span className="chart-swatch" data-series="unknown" aria-hidden />
            not known
          </li>
        )}
      </ul>
      <ChartTable label={label} columnUnit={columnUnit} data={data} format={format} />
    </figure>
  );
}

interface BarProps {
  readonly values: readonly (number | null)[];
  /** The middle. */
  readonly x: number;
  readonly width: number;
  readonly yOf: (value: number) => number;
}

function Bar({ values, x, width, yOf }: BarProps) {
  let below = 0;
  const parts = values.map((value, index) => {
    const from = below;
    below += value ?? 0;
    return { index, from, to: below };
  });
  return (
    <>
      {parts
        .filter(({ from, to }) => to > from)
        .map(({ index, from, to }) => (
          <rect
            key={index}
            className="chart-part"
            data-series={index}
            x={x - width / 2}
            y={yOf(to)}
            width={width}
            height={Math.max(1, yOf(from) - yOf(to))}
          />
        ))}
      {values.includes(null) && (
        <rect
          className="chart-unknown"
          x={x - width / 2 + 0.5}
          y={yOf(below) - UNKNOWN_PIXELS - 1}
          width={Math.max(1, width - 1)}
          height={UNKNOWN_PIXELS}
        />
      )}
    </>
  );
}
