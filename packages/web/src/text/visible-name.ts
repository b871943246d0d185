export { shownName as visibleName } from '@stoa/core';
