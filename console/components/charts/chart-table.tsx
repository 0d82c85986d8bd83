import { useState } from "react";

import { addUp, type ChartData } from "./chart-data.ts";

interface ChartTableProps {
  readonly label: string;
  readonly columnUnit: string;
  readonly data: ChartData;
  readonly format: (value: number) => string;
}

/** The numbers of a chart as a table, which is drawn when it is opened. */
export function ChartTable({ label, columnUnit, data, format }: ChartTableProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { series, columns } = data;
  return (
    <details className="chart-numbers" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <div
          className="table-region"
          role="region"
          aria-label={`${label}, as a table`}
          tabIndex={0}
        >
          <table className="table">
            <thead>
              <tr>
                <th scope="col">{columnUnit}</th>
                {series.map((name, index) => (
                  <th key={`${index} ${name}`} scope="col" data-align="end">
                    <bdi>{name}</bdi>
                  </th>
                ))}
                <th scope="col" data-align="end">
                  Together
                </th>
              </tr>
            </thead>
            <tbody>
              {columns.map((column) => {
                const { sum, isWhole } = addUp(column.values);
                return (
                  <tr key={column.key}>
                    <th scope="row">{column.label}</th>
                    {column.values.map((value, index) => (
                      <td key={index} data-align="end">
                        {value === null ? "not known" : format(value)}
                      </td>
                    ))}
                    <td data-align="end">{isWhole ? format(sum) : "not known"}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
