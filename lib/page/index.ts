export { createListingPage } from './create-page.js';
export type { ListingPageOptions, PageDirectory, PageHealth, PageProvider } from './options.js';
