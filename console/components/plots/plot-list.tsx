import { ChartNoAxesCombined } from "lucide-react";
import type { ReactNode } from "react";

import type { UsageSeries } from "../../../sdk/index.ts";
import type { ChartData } from "../charts/chart-data.ts";
import { formatCompact, formatCount, formatMoney } from "../charts/format-number.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import { EmptyState } from "../empty-state.tsx";
import type { PlotChoice } from "./plot-choice.ts";
import { toPlots } from "./to-plots.ts";

interface PlotListProps {
  readonly answer: UsageSeries;
  readonly choice: PlotChoice;
  /** A name for the id of an agent, or for a model. */
  readonly nameOf: (key: string) => string;
  /** Leads from the failures to what failed. */
  readonly failuresLink?: ReactNode;
  /** Said where nothing has ended in the time. */
  readonly empty: string;
}

/** The plots of one answer: replies, failures, times, tokens, costs, and what waits now. */
export function PlotList({ answer, choice, nameOf, failuresLink, empty }: PlotListProps) {
  const plots = toPlots(answer, choice, nameOf);
  const waits = [...answer.waiting.permission, ...answer.waiting.external_result];
  const columnUnit = answer.interval === "hour" ? "Hour (UTC)" : "Day (UTC)";
  const by = choice.by === "all" ? "" : ` by ${choice.by}`;
  return (
    <>
      {answer.points.length === 0 ? (
        <EmptyState icon={ChartNoAxesCombined} title="No reply has ended in this time">
          <p>Choose a longer span or take a filter off. {empty}</p>
        </EmptyState>
      ) : (
        <>
          <Plot title={`Replies${by}`} unit="Replies" {...{ columnUnit }} data={plots.replies} />
          <Plot title="Failures by cause" unit="Replies" {...{ columnUnit }} data={plots.failures}>
            {failuresLink}
          </Plot>
          <Plot
            title="First output of the model"
            unit="Replies"
            {...{ columnUnit }}
            data={plots.firstOutput}
          />
          <Plot title="How long calls waited" unit="Calls" {...{ columnUnit }} data={plots.waits} />
          <Plot title={`Tokens${by}`} unit="Tokens" {...{ columnUnit }} data={plots.tokens} />
          <Plot
            title={`Cost by list prices${by}`}
            unit="US dollars"
            {...{ columnUnit }}
            data={plots.cost}
            format={formatMoney}
          />
          {!answer.is_whole && (
            <p role="note" className="quiet">
              There is more than one answer has: the oldest part is missing. Choose a shorter span
              or a filter.
            </p>
          )}
        </>
      )}
      {waits.some((count) => count > 0) && (
        <Plot title="Calls that wait now, by age" unit="Calls" columnUnit="Age" data={plots.ages} />
      )}
    </>
  );
}

interface PlotProps {
  readonly title: string;
  readonly unit: string;
  readonly columnUnit: string;
  readonly data: ChartData;
  readonly format?: (value: number) => string;
  readonly children?: ReactNode;
}

function Plot({ title, unit, columnUnit, data, format, children }: PlotProps) {
  return (
    <section className="section" aria-label={title}>
      <div className="section-head">
        <h2>{title}</h2>
        {children}
      </div>
      <StackedBars
        label={title}
        unit={unit}
        columnUnit={columnUnit}
        data={data}
        format={format ?? formatCount}
        formatTick={format ?? wholeTick}
      />
    </section>
  );
}

/** Half a reply is none. */
function wholeTick(value: number): string {
  return Number.isInteger(value) ? formatCompact(value) : "";
}
