import type { WorkspaceTheme } from '@stoa/core';
import { dark } from './palettes/dark.ts';
import { dracula } from './palettes/dracula.ts';
import { light } from './palettes/light.ts';
import { nord } from './palettes/nord.ts';
import { rosePine } from './palettes/rose-pine.ts';
import { service } from './palettes/service.ts';
import { solarizedLight } from './palettes/solarized-light.ts';
import type { Palette } from './tokens.ts';

export const palettes: Readonly<Record<WorkspaceTheme, Palette>> = {
  light,
  dark,
  dracula,
  nord,
  'solarized-light': solarizedLight,
  'rose-pine': rosePine,
  service,
};

/** CSS rules that set the tokens; the build inserts them into `themes.css`. */
export function palettesCss(): string {
  return Object.entries(palettes)
    .map(([theme, { scheme, colors }]) => {
      const values = Object.entries(colors).map(([token, color]) => `--stoa-${token}:${color};`);
      const selector = theme === 'light' ? ':root,html[data-theme="light"]' : `html[data-theme="${theme}"]`;
      return `${selector}{color-scheme:${scheme};${values.join('')}}`;
    })
    .join('\n');
}
