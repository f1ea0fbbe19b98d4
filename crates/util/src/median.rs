//! The median of numbers of any type.

/// Returns the median of numbers, which are sorted by this call; `None` if there are none.
///
/// ```
/// use clearway_util::median::median;
/// assert_eq!(median(&mut [4.0, 1.0, 2.0]), Some(2.0));
/// assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), Some(2.5));
/// assert_eq!(median(&mut [f64::MAX, f64::MAX]), Some(f64::MAX));
/// assert_eq!(median(&mut []), None);
/// ```
pub fn median(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    middle(numbers).map(|(low, high)| f64::midpoint(low, high))
}

/// Returns the two middle values of a sorted list, which are the same one if their number is odd; `None` if the list is empty.
///
/// ```
/// use clearway_util::median::middle;
/// assert_eq!((middle(&[1, 2, 4]), middle(&[1, 2, 3, 4])), (Some((2, 2)), Some((2, 3))));
/// ```
pub fn middle<T: Copy>(sorted: &[T]) -> Option<(T, T)> {
    let high = *sorted.get(sorted.len() / 2)?;
    Some((sorted[(sorted.len() - 1) / 2], high))
}
