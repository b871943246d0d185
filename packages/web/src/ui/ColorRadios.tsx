import { type WorkspaceColor, workspaceColors } from '@stoa/core';
import { shell } from '../text/en/shell.ts';
import { RadioGroup } from './Choice.tsx';
import './workspace-colors.css';

export type ColorChoice = WorkspaceColor | 'none';

/** The colour of a workspace, or none. */
export function ColorRadios({
  value,
  onChange,
}: {
  readonly value: ColorChoice;
  onChange(value: ColorChoice): void;
}) {
  return (
    <RadioGroup<ColorChoice>
      label={shell.workspaceColor}
      layout="row"
      value={value}
      options={(['none', ...workspaceColors] as const).map((each) => ({
        value: each,
        label: shell.colors[each],
        picture: <span className="color-dot" data-color={each === 'none' ? undefined : each} />,
      }))}
      onChange={onChange}
    />
  );
}
