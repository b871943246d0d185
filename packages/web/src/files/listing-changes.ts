import { isWithin } from '@stoa/core';
import { folderOf, type ListData, nameOf } from '../api/listing-index.ts';
import type { FileStep } from './work-plan.ts';

/** Optimistic updates: the expected list, shown before the server responds. */

export function withSteps(data: ListData, steps: readonly FileStep[]): ListData {
  const files = new Map(data.files);
  for (const step of steps) {
    switch (step.kind) {
      case 'delete':
        files.delete(step.path);
        break;
      case 'move': {
        const file = files.get(step.from);
        if (file === undefined) break;
        files.delete(step.from);
        files.set(step.to, {
          ...file,
          path: step.to,
          name: nameOf(step.to),
          folder: folderOf(step.to),
          version: 1,
        });
        break;
      }
      case 'restore':
        // Only the server knows its content.
        break;
    }
  }
  return { ...data, files };
}

/** Moves the properties of a path with it: icon, order, privacy. */
export function withPropertiesMoved(
  data: ListData,
  moves: readonly { readonly from: string; readonly to: string }[],
): ListData {
  const newPath = (path: string) => {
    const move = moves.find(({ from }) => isWithin(path, from));
    return move === undefined ? path : move.to + path.slice(move.from.length);
  };
  const moved = <Value>(record: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(record).map(([path, value]) => [newPath(path), value]));
  return {
    ...data,
    icons: moved(data.icons),
    orders: moved(data.orders),
    privatePaths: new Set([...data.privatePaths].map(newPath)),
  };
}

export function withIcon(data: ListData, path: string, icon: string | null): ListData {
  const { [path]: _, ...icons } = data.icons;
  return { ...data, icons: icon === null ? icons : { ...icons, [path]: icon } };
}

export function withOrder(data: ListData, paths: readonly string[]): ListData {
  return { ...data, orders: { ...data.orders, ...Object.fromEntries(paths.map((path, i) => [path, i])) } };
}

export function withPrivate(data: ListData, path: string, isPrivate: boolean): ListData {
  const privatePaths = new Set(data.privatePaths);
  if (isPrivate) privatePaths.add(path);
  else privatePaths.delete(path);
  return { ...data, privatePaths };
}
