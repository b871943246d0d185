import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import './resizer.css';

const stepPx = 16;

/** The movable edge between two parts, by pointer or arrow keys. */
export function Resizer({
  label,
  value,
  min,
  max,
  side,
  onChange,
}: {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  /** The side of the edge on which the resized part is. */
  readonly side: 'start' | 'end';
  onChange(value: number): void;
}) {
  const from = useRef<{ readonly x: number; readonly value: number } | null>(null);
  const towards = side === 'start' ? 1 : -1;
  const set = (next: number) => onChange(Math.min(max, Math.max(min, Math.round(next))));

  function moved(event: PointerEvent) {
    if (from.current === null) return;
    const direction = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1;
    set(from.current.value + (event.clientX - from.current.x) * direction * towards);
  }

  function pressed(event: KeyboardEvent) {
    const step = { ArrowLeft: -stepPx, ArrowRight: stepPx }[event.key];
    if (step !== undefined) set(value + step * towards);
    else if (event.key === 'Home') set(min);
    else if (event.key === 'End') set(max);
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved, a focusable separator can
    <div
      className="ui-resizer"
      data-side={side}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuenow={value}
      tabIndex={0}
      onKeyDown={pressed}
      onPointerDown={(event) => {
        from.current = { x: event.clientX, value };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={moved}
      onPointerUp={() => {
        from.current = null;
      }}
      onPointerCancel={() => {
        from.current = null;
      }}
    />
  );
}
