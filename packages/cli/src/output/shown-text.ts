export { shownText } from '@stoa/core';
