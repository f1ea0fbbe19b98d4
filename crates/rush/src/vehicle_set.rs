//! Sets of vehicles.

/// A set of vehicles, as a bit set of their indices.
pub(crate) type VehicleSet = u128;

/// Number of vehicles that must move because of choices, besides those that must move anyway. For each choice, the vehicles of
/// one of the two sets must move: over choices that share no vehicle, the smaller sets add up.
#[inline]
pub(crate) fn vehicles_of_choices(choices: &[(VehicleSet, VehicleSet)], forced: VehicleSet) -> u32 {
    let (mut count, mut used) = (0, forced);
    for &(one, other) in choices {
        let (one, other) = (one & !forced, other & !forced);
        if one != 0 && other != 0 && (one | other) & used == 0 {
            count += one.count_ones().min(other.count_ones());
            used |= one | other;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_sets_of_independent_choices_add_up() {
        let count = |choices: &[(VehicleSet, VehicleSet)]| vehicles_of_choices(choices, 0b1);
        assert_eq!(count(&[(0b110, 0b1000)]), 1);
        assert_eq!(count(&[(0b110, 0b1000), (0b11_0000, 0b100_0000)]), 2);
        assert_eq!(count(&[(0b110, 0b1000), (0b1_0010, 0b100_0000)]), 1, "a vehicle is shared");
        assert_eq!(count(&[(0b110, 0b1)]), 0, "one side moves anyway");
    }
}
