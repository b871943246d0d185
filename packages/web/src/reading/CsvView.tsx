import { numberText } from '@stoa/core';
import { useMemo, useRef, useState } from 'react';
import { reading } from '../text/en/reading.ts';
import { csvRowsMax, numberColumns, readCsv } from './read-csv.ts';
import { SourceView } from './SourceView.tsx';
import { useFound } from './use-found.ts';
import './file-views.css';

/** The first rows of a table. The first row has the column names. */
export function CsvView({ name, text }: { readonly name: string; readonly text: string }) {
  const csv = useMemo(() => readCsv(text), [text]);
  const { rows, isCut } = csv;
  const [head = [], ...body] = rows;
  const areNumbers = useMemo(() => numberColumns(rows), [rows]);
  const numberMark = (column: number) => (areNumbers[column] === true ? { 'data-number': true } : {});
  const table = useRef<HTMLTableElement>(null);
  const [isSource, setSource] = useState(false);
  useFound(table, csv, () => setSource(true));
  if (isSource) return <SourceView name={name} text={text} note={reading.rowNotShown} />;
  return (
    <div className="reading-csv">
      {isCut ? <p className="reading-note">{reading.rowsCut(numberText(csvRowsMax))}</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable by keyboard */}
      <div className="reading-csv-scroll" tabIndex={0}>
        <table ref={table} aria-label={reading.rowsOf(name)}>
          <thead>
            <tr>
              {head.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other key
                <th key={column} scope="col" dir="auto" {...numberMark(column)}>
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {body.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key
              <tr key={index}>
                {row.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other key
                  <td key={column} dir="auto" {...numberMark(column)}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
